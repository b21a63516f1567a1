package org.fleetgrad.ps.web.page;

import static java.util.Map.entry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.web.page.PageController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The page that shows a run. */
@Configuration(proxyBeanMethods = false)
class DashboardPage {

    private static final String UPLOT = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

    @Bean
    PageController page(PsProperties properties) {
        return new PageController(
                DashboardPage.class,
                "dashboard.html",
                Map.ofEntries(
                        entry("dashboard.css", "dashboard.css"),
                        entry("dashboard.js", "dashboard.js"),
                        entry("charts.js", "charts.js"),
                        entry("earlier.js", "earlier.js"),
                        entry("figures.js", "figures.js"),
                        entry("run.js", "run.js"),
                        entry("axes.js", "axes.js"),
                        entry("kinds.js", "kinds.js"),
                        entry("questions.js", "questions.js"),
                        entry("series.js", "series.js"),
                        entry("workers.js", "workers.js"),
                        entry("uplot.js", uplot("uPlot.iife.min.js")),
                        entry("uplot.css", uplot("uPlot.min.css"))),
                Optional.ofNullable(properties.tryItPage()),
                "the page has no file '%s'");
    }

    /** Returns the resource path of a file of the chart library: a jar on the class path, whose files have its version. */
    private static String uplot(String name) {
        return "/META-INF/resources/webjars/uplot/%s/dist/%s".formatted(uplotVersion(), name);
    }

    private static String uplotVersion() {
        try (InputStream in = DashboardPage.class.getResourceAsStream(UPLOT)) {
            if (in == null) {
                throw new IllegalStateException("the jar of uPlot is not on the class path: there is no " + UPLOT);
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(UPLOT + " cannot be read", unreadable);
        }
    }
}
