package org.fleetgrad.web.page;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The page of a service and its files, by name: nothing else of the class path can be requested. Immutable. */
public final class PageFiles {

    private static final Map<String, String> SHARED = Map.of(
            "fleetgrad.css", "fleetgrad.css",
            "session.js", "session.js",
            "text.js", "text.js",
            "icon.svg", "icon.svg");

    private final PageFile page;
    private final Map<String, PageFile> files;

    private PageFiles(PageFile page, Map<String, PageFile> files) {
        this.page = page;
        this.files = files;
    }

    /**
     * Reads a page, its own files, and those that all pages share.
     *
     * @param owner class beside which they lie
     * @param page  the page itself
     * @param names resources by name; a resource that begins with a slash may lie in any jar
     * @throws IllegalArgumentException naming a file that is missing
     */
    public static PageFiles read(Class<?> owner, String page, Map<String, String> names) {
        Map<String, PageFile> files = new HashMap<>();
        SHARED.forEach((name, resource) -> files.put(name, PageFile.read(PageFiles.class, resource)));
        names.forEach((name, resource) -> files.put(name, PageFile.read(owner, resource)));
        return new PageFiles(PageFile.read(owner, page), Map.copyOf(files));
    }

    /** Returns the page. */
    public PageFile page() {
        return page;
    }

    /** Returns a file of the page. */
    public Optional<PageFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
