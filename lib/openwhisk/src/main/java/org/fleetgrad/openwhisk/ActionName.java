package org.fleetgrad.openwhisk;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/** What an action may be called. */
final class ActionName {

    /** OpenWhisk's own rule, of each part. */
    private static final Pattern PART = Pattern.compile("\\w|\\w[\\w@ .&-]{0,254}[\\w@.&-]");

    private ActionName() {}

    /** Returns the path of an action's name in an address. */
    static String path(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2
                || !Arrays.stream(parts).allMatch(part -> PART.matcher(part).matches())) {
            throw new IllegalArgumentException(
                    "an action's name is NAME or PACKAGE/NAME, of up to 256 letters, digits and _ @ . & - each; this is '%s'"
                            .formatted(Printable.text(name)));
        }
        return Arrays.stream(parts)
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
