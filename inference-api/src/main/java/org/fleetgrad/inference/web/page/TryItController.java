package org.fleetgrad.inference.web.page;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.web.page.PageFile;
import org.fleetgrad.web.page.PageFiles;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** {@code GET /} and its files: draw a digit, or choose a picture, and see the prediction. */
@RestController
class TryItController {

    private final PageFiles files = PageFiles.read(
            TryItController.class,
            "try-it.html",
            Map.of(
                    "try-it.css", "try-it.css",
                    "try-it.js", "try-it.js",
                    "drawing.js", "drawing.js",
                    "picture.js", "picture.js",
                    "answer.js", "answer.js"));

    @GetMapping(Routes.PAGE)
    ResponseEntity<byte[]> page() {
        return answer(files.page());
    }

    @GetMapping(Routes.PAGE_FILE)
    ResponseEntity<byte[]> file(@PathVariable String name) throws NoResourceFoundException {
        Optional<PageFile> found = files.find(name);
        if (found.isEmpty()) {
            throw new NoResourceFoundException(HttpMethod.GET, Routes.PAGE_FILE, name);
        }
        return answer(found.get());
    }

    private static ResponseEntity<byte[]> answer(PageFile file) {
        return ResponseEntity.ok()
                .headers(headers -> PageFiles.headers().forEach(headers::set))
                .contentType(MediaType.parseMediaType(file.contentType()))
                .eTag(file.entityTag())
                .body(file.bytes());
    }
}
