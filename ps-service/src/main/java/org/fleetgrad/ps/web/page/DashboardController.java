package org.fleetgrad.ps.web.page;

import java.util.Map;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.web.page.PageFile;
import org.fleetgrad.web.page.PageFiles;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /} and its files. They contain nothing about the run: the page requests its data with the reader's token. */
@RestController
class DashboardController {

    private final PageFiles files = PageFiles.read(
            DashboardController.class,
            "dashboard.html",
            Map.of(
                    "dashboard.css", "dashboard.css",
                    "dashboard.js", "dashboard.js",
                    "charts.js", "charts.js",
                    "figures.js", "figures.js",
                    "run.js", "run.js",
                    "uplot.js", UPlot.resource("uPlot.iife.min.js"),
                    "uplot.css", UPlot.resource("uPlot.min.css")));

    @GetMapping(Routes.PAGE)
    ResponseEntity<byte[]> page() {
        return answer(files.page());
    }

    @GetMapping(Routes.PAGE_FILE)
    ResponseEntity<byte[]> file(@PathVariable String name) {
        return answer(files.find(name)
                .orElseThrow(
                        () -> new RequestRefused(ProblemKind.NOT_FOUND, "the page has no file '%s'".formatted(name))));
    }

    private static ResponseEntity<byte[]> answer(PageFile file) {
        return ResponseEntity.ok()
                .headers(headers -> PageFiles.headers().forEach(headers::set))
                .contentType(MediaType.parseMediaType(file.contentType()))
                .eTag(file.entityTag())
                .body(file.bytes());
    }
}
