package org.fleetgrad.protocol;

import java.util.regex.Pattern;

/** A network's name for people: an argument may be a whole graph, or a number for each of a thousand columns. */
public final class NetworkTitle {

    private static final Pattern LONG_VALUE = Pattern.compile("(=[^&=]{12})[^&=]{52,}");

    private NetworkTitle() {}

    /** Cuts each value of more than 64 characters after its first 12. */
    public static String of(String name) {
        return LONG_VALUE.matcher(name).replaceAll("$1…");
    }
}
