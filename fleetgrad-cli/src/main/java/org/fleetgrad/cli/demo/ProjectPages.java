package org.fleetgrad.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The text that {@code demo --text} learns: this project's own pages, which the jar has. */
public final class ProjectPages {

    private static final String FIRST = "pages/README.md";
    private static final String SUFFIX = ".md";
    private static final int HELD_OUT_EVERY = 20;

    private ProjectPages() {}

    /**
     * Writes the pages as a dataset's folder: each twentieth paragraph is held out.
     *
     * @param folder an empty folder
     */
    public static void write(Path folder) throws IOException {
        StringBuilder training = new StringBuilder();
        StringBuilder heldOut = new StringBuilder();
        int count = 0;
        for (String page : pages()) {
            for (String paragraph : PlainText.paragraphs(page)) {
                count++;
                (count % HELD_OUT_EVERY == 0 ? heldOut : training)
                        .append(paragraph)
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("pages.txt"), training, StandardCharsets.UTF_8);
        Files.writeString(folder.resolve("test.txt"), heldOut, StandardCharsets.UTF_8);
    }

    /** Reads the pages in the order of their names. */
    private static List<String> pages() throws IOException {
        URL first = Objects.requireNonNull(ProjectPages.class.getResource(FIRST), FIRST);
        try {
            URI place = first.toURI();
            if (!place.getScheme().equals("jar")) {
                return read(Objects.requireNonNull(Path.of(place).getParent()));
            }
            try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
                return read(Objects.requireNonNull(jar.provider().getPath(place).getParent()));
            }
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("the place of a resource is no URI: " + first, impossible);
        }
    }

    private static List<String> read(Path folder) throws IOException {
        List<String> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted((one, other) -> one.toString().compareTo(other.toString()))
                    .toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    pages.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return pages;
    }
}
