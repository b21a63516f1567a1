package org.fleetgrad.web.page;

import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /} and its files. They contain nothing about the run: a page requests its data with the reader's token. A service
 * makes it as a bean.
 */
@RestController
public final class PageController {

    private static final List<String> SHARED = List.of("fleetgrad.css", "session.js", "text.js", "icon.svg");

    private final PageFile page;
    private final Map<String, PageFile> files = new HashMap<>();
    private final String noFile;

    /**
     * Reads a page, its own files, and those that all pages share. Nothing else of the class path can be requested.
     *
     * @param owner  class beside which they lie
     * @param page   the page itself
     * @param names  resources by name; a resource that begins with a slash may lie in any jar
     * @param other  address of the other service's page, to which this one links; empty for no link
     * @param noFile detail of the refusal of any other file; {@code %s} is its name
     * @throws IllegalArgumentException naming a file that is missing
     */
    public PageController(Class<?> owner, String page, Map<String, String> names, Optional<URI> other, String noFile) {
        this.page = PageFile.read(owner, page);
        SHARED.forEach(name -> files.put(name, PageFile.read(PageController.class, name)));
        names.forEach((name, resource) -> files.put(name, PageFile.read(owner, resource)));
        files.put(
                "other.js",
                PageFile.constant("OTHER", other.map(URI::toASCIIString).orElse("")));
        this.noFile = noFile;
    }

    @GetMapping(Routes.PAGE)
    ResponseEntity<byte[]> page() {
        return answer(page);
    }

    @GetMapping(Routes.PAGE_FILE)
    ResponseEntity<byte[]> file(@PathVariable String name) {
        PageFile file = files.get(name);
        if (file == null) {
            throw new RequestRefused(ProblemKind.NOT_FOUND, noFile.formatted(name));
        }
        return answer(file);
    }

    /**
     * Returns the headers of every file: the page runs its own scripts only, calls its own service only, and is framed by no
     * other page. Without inline scripts, text from the server cannot become code even if it became markup.
     */
    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
                        + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        // A browser checks each time whether its copy is still right, so that an update shows at once.
        headers.put("Cache-Control", "no-cache");
        return headers;
    }

    private static ResponseEntity<byte[]> answer(PageFile file) {
        return ResponseEntity.ok()
                .headers(headers -> headers().forEach(headers::set))
                .contentType(MediaType.parseMediaType(file.contentType()))
                .eTag(file.entityTag())
                .body(file.bytes());
    }
}
