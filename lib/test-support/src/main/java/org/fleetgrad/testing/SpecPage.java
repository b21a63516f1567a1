package org.fleetgrad.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The parts of docs/configuration.md that specifications of settings print: the page must have them word for word. */
public final class SpecPage {

    private SpecPage() {}

    /**
     * Compares a part of the page with what it must be.
     *
     * @param name of the part, as its marks name it
     * @throws AssertionError if the page has another text; the message has the right one
     */
    public static void requirePart(String name, String text) throws IOException {
        Path file = RepositoryRoot.path().resolve("docs/configuration.md");
        String page = Files.readString(file);
        String begin = "<!-- %s: begin; printed by the code -->\n".formatted(name);
        String end = "<!-- %s: end -->".formatted(name);
        String part = begin + "\n" + text + "\n" + end;
        if (!page.contains(part)) {
            throw new AssertionError("%s must have this part; put it between its marks:\n%s".formatted(file, part));
        }
    }
}
