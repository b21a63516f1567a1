package org.fleetgrad.openwhisk;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** A namespace's key, {@code uuid:key}. Messages never contain it, not even if a controller sends it back. */
public final class WhiskAuth {

    private static final Pattern AUTH = Pattern.compile("[\\x21-\\x39\\x3B-\\x7E]+:[\\x21-\\x7E]+");
    private static final String HIDDEN = "[hidden]";

    private final String text;
    private final String encoded;

    private WhiskAuth(String text) {
        this.text = text;
        this.encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Reads {@code uuid:key}.
     *
     * @throws IllegalArgumentException if the text is not a key; the message says what to write and does not quote the
     *     text
     */
    public static WhiskAuth parse(String text) {
        String stripped = text.strip();
        if (!AUTH.matcher(stripped).matches()) {
            throw new IllegalArgumentException(
                    "the key of OpenWhisk must be like uuid:key, as 'wsk property get --auth' shows it;"
                            + " the value has %d characters and %s"
                                    .formatted(stripped.length(), stripped.contains(":") ? "a colon" : "no colon"));
        }
        return new WhiskAuth(stripped);
    }

    /** Returns the value of the header {@code Authorization}. */
    String header() {
        return "Basic " + encoded;
    }

    /** Removes the key from text that another program wrote. */
    String hideIn(String message) {
        String key = text.substring(text.indexOf(':') + 1);
        return message.replace(text, HIDDEN).replace(encoded, HIDDEN).replace(key, HIDDEN);
    }

    @Override
    public String toString() {
        return "WhiskAuth" + HIDDEN;
    }
}
