package org.fleetgrad.store;

import java.util.regex.Pattern;

/**
 * The name of an object: parts of letters, digits, dots, dashes and underscores, separated by slashes. No part begins
 * with a dot, so that a name cannot lead out of a folder.
 *
 * @param text the name
 */
public record ObjectName(String text) {

    private static final Pattern ALLOWED =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final int MOST_CHARACTERS = 512;

    public ObjectName {
        if (text.length() > MOST_CHARACTERS || !ALLOWED.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "an object's name has letters, digits, '.', '-', '_' and '/', no part of it begins with '.', and it is "
                            + "at most %d long; not '%s'".formatted(MOST_CHARACTERS, text));
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
