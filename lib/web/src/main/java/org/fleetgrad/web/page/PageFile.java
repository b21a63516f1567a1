package org.fleetgrad.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.files.Sha256;

/**
 * A file of a page, whole in memory.
 *
 * @param contentType what a browser takes it for
 * @param bytes       its bytes; not to be changed
 * @param entityTag   follows from the bytes alone, in quotes
 */
record PageFile(String contentType, byte[] bytes, String entityTag) {

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml");

    /**
     * Reads a file of the class path.
     *
     * @param owner    a class beside which the path is looked up, or anywhere if the path begins with a slash
     * @param resource path; its ending says what it is
     * @throws IllegalArgumentException if there is no such file, or no page has files of this kind
     */
    static PageFile read(Class<?> owner, String resource) {
        String ending = resource.substring(resource.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        String type = TYPES.get(ending);
        if (type == null) {
            throw new IllegalArgumentException(
                    "a file of a page ends in one of %s; '%s' does not".formatted(TYPES.keySet(), resource));
        }
        try (InputStream in = owner.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "there is no file '%s' beside %s".formatted(resource, owner.getName()));
            }
            return of(type, in.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the file '%s' cannot be read".formatted(resource), unreadable);
        }
    }

    /** Makes a script that exports one text: what a page must know of its service's settings. */
    static PageFile constant(String name, String text) {
        if (text.chars().anyMatch(c -> c < ' ' || c > '~' || c == '"' || c == '\\')) {
            throw new IllegalArgumentException("a script cannot hold the text '%s'".formatted(text));
        }
        String script = "export const %s = \"%s\";\n".formatted(name, text);
        return of(TYPES.getOrDefault("js", ""), script.getBytes(StandardCharsets.US_ASCII));
    }

    private static PageFile of(String type, byte[] bytes) {
        return new PageFile(type, bytes, '"' + Sha256.of(ByteBuffer.wrap(bytes)).substring(0, 16) + '"');
    }
}
