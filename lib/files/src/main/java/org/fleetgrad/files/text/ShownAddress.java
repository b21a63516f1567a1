package org.fleetgrad.files.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes an address, or a text that should have been one, safe for a message or a log: a user with a password before an {@code @}, and a
 * query, which in a presigned address has the signature, are secrets.
 */
public final class ShownAddress {

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");
    private static final Pattern PATH = Pattern.compile("(?:file|unix):.*|[/.\\\\].*", Pattern.DOTALL);

    private ShownAddress() {}

    /** Returns the text without user and query; what remains is made {@linkplain Printable#text printable}. */
    public static String of(String text) {
        return Printable.text(withoutQuery(PATH.matcher(text).matches() ? text : withoutUser(text)));
    }

    /** Goes to the last {@code @} of the text: a password that is not encoded, as it should be, may have any character. */
    private static String withoutUser(String text) {
        Matcher scheme = SCHEME.matcher(text);
        int host = text.lastIndexOf('@') + 1;
        return host == 0 ? text : (scheme.lookingAt() ? scheme.group() : "") + "[hidden]@" + text.substring(host);
    }

    private static String withoutQuery(String text) {
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
