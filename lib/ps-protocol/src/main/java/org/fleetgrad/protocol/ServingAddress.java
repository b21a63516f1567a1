package org.fleetgrad.protocol;

import java.net.URI;
import java.net.URISyntaxException;
import org.fleetgrad.files.text.ShownAddress;

/** The address at which a worker serves predictions while it trains, as stated in its registration. */
public final class ServingAddress {

    /** Longest address, in characters. */
    public static final int MAX_LENGTH = 200;

    private static final int LAST_PORT = 65_535;

    private ServingAddress() {}

    /**
     * Reads an address such as {@code http://10.0.0.7:29700}. It has a host and may have a port and a path; it carries
     * no user, query or fragment.
     *
     * @param name of the setting or member, for the message
     * @throws IllegalArgumentException for anything else; the message says what to write instead
     */
    public static URI parse(String name, String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "'%s' has %d characters, accepted are %d".formatted(name, text.length(), MAX_LENGTH));
        }
        try {
            URI uri = new URI(text);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (isHttp && isPlain && uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= LAST_PORT) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // Falls through: the message below is the same for every wrong address.
        }
        throw new IllegalArgumentException(
                "'%s' must be an http or https address without user, query and fragment, such as http://10.0.0.7:29700; it is '%s'"
                        .formatted(name, ShownAddress.of(text)));
    }
}
