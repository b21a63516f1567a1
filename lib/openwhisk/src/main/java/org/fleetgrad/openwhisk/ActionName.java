package org.fleetgrad.openwhisk;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/** The rule for names of actions: {@code NAME} or {@code PACKAGE/NAME}. */
public final class ActionName {

    /** OpenWhisk's rule for each part of a name. */
    private static final Pattern PART = Pattern.compile("\\w|\\w[\\w@ .&-]{0,254}[\\w@.&-]");

    private ActionName() {}

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if OpenWhisk accepts no such name; the message has the name and the rule
     */
    public static void require(String name) {
        String[] unused = parts(name);
    }

    /** Returns the path of an action in a URL. */
    static String path(String name) {
        return Arrays.stream(parts(name))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }

    private static String[] parts(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2
                || !Arrays.stream(parts).allMatch(part -> PART.matcher(part).matches())) {
            throw new IllegalArgumentException(
                    "an action's name must be NAME or PACKAGE/NAME, each of up to 256 letters, digits and _ @ . & -; it is '%s'"
                            .formatted(Printable.text(name)));
        }
        return parts;
    }
}
