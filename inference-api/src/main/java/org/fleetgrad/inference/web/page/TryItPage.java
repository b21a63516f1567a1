package org.fleetgrad.inference.web.page;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.web.page.PageController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The page on which a user draws a digit, or chooses a picture, writes a text or fills a row of a table, and sees the
 * prediction; or begins a text. */
@Configuration(proxyBeanMethods = false)
class TryItPage {

    @Bean
    PageController page(InferenceProperties properties) {
        return new PageController(
                TryItPage.class,
                "try-it.html",
                Map.of(
                        "try-it.css", "try-it.css",
                        "try-it.js", "try-it.js",
                        "drawing.js", "drawing.js",
                        "picture.js", "picture.js",
                        "answer.js", "answer.js",
                        "continuations.js", "continuations.js",
                        "row.js", "row.js",
                        "events.js", "events.js",
                        "quality.js", "quality.js"),
                Optional.ofNullable(properties.dashboardPage()),
                "there is no such path");
    }
}
