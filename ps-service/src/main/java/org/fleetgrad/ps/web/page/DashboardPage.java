package org.fleetgrad.ps.web.page;

import java.util.Map;
import org.fleetgrad.web.page.PageController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The page that shows a run. */
@Configuration(proxyBeanMethods = false)
class DashboardPage {

    @Bean
    PageController page() {
        return new PageController(
                DashboardPage.class,
                "dashboard.html",
                Map.of(
                        "dashboard.css", "dashboard.css",
                        "dashboard.js", "dashboard.js",
                        "charts.js", "charts.js",
                        "figures.js", "figures.js",
                        "run.js", "run.js",
                        "uplot.js", UPlot.resource("uPlot.iife.min.js"),
                        "uplot.css", UPlot.resource("uPlot.min.css")),
                "the page has no file '%s'");
    }
}
