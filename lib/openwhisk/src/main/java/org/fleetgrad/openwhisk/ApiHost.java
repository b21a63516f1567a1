package org.fleetgrad.openwhisk;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;

/**
 * The address of a controller. Immutable.
 *
 * @param base the address with the version of the API: {@code https://host/api/v1}
 */
public record ApiHost(URI base) {

    private static final String API = "/api/v1";
    private static final Pattern ADDRESS = Pattern.compile(
            "(https?)://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?((?:/[A-Za-z0-9._~-]+)*)/*");
    private static final int LAST_PORT = 65535;

    /**
     * Reads an address in the form that {@code wsk} accepts: a host, with or without scheme, port and {@code /api/v1}.
     * Without a scheme it is https, as with wsk.
     *
     * @throws IllegalArgumentException if the text is not such an address; the message says what to write. It does not
     *     quote an address with an {@code @}, which may be a misplaced key
     */
    public static ApiHost parse(String text) {
        String stripped = text.strip();
        Matcher address = ADDRESS.matcher(stripped.contains("://") ? stripped : "https://" + stripped);
        if (!address.matches() || (address.group(3) != null && !isPort(address.group(3)))) {
            throw new IllegalArgumentException(
                    "the address of OpenWhisk must be like https://host or http://host:3233; %s"
                            .formatted(
                                    text.contains("@") ? "it has an @" : "it is '%s'".formatted(Printable.text(text))));
        }
        String path = address.group(4);
        String prefix = path.endsWith(API) ? path.substring(0, path.length() - API.length()) : path;
        String port = address.group(3) == null ? "" : ":" + address.group(3);
        return new ApiHost(URI.create(address.group(1) + "://" + address.group(2) + port + prefix + API));
    }

    private static boolean isPort(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port <= LAST_PORT;
    }

    /** Returns the address of a path below the API. */
    URI resolve(String path) {
        return URI.create(base + path);
    }

    @Override
    public String toString() {
        return base.toString();
    }
}
