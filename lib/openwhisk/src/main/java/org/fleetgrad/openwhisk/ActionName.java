package org.fleetgrad.openwhisk;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/** The rule for names of actions. */
final class ActionName {

    /** OpenWhisk's rule for each part of a name. */
    private static final Pattern PART = Pattern.compile("\\w|\\w[\\w@ .&-]{0,254}[\\w@.&-]");

    private ActionName() {}

    /** Returns the path of an action in a URL. */
    static String path(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2
                || !Arrays.stream(parts).allMatch(part -> PART.matcher(part).matches())) {
            throw new IllegalArgumentException(
                    "an action's name must be NAME or PACKAGE/NAME, each of up to 256 letters, digits and _ @ . & -; it is '%s'"
                            .formatted(Printable.text(name)));
        }
        return Arrays.stream(parts)
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
