package org.fleetgrad.files.text;

/** Makes untrusted text safe for a message or a log: no line breaks, no escape sequences, and not too long. */
public final class Printable {

    /** Longest text that is not cut, in UTF-16 code units. */
    public static final int LIMIT = 400;

    private Printable() {}

    /**
     * Replaces each control character, format character and unpaired surrogate by U+FFFD, and cuts the text after
     * {@link #LIMIT}; a cut text ends with its full length.
     */
    public static String text(String text) {
        return text(text, LIMIT);
    }

    /**
     * Does the same with a limit of the caller's.
     *
     * @param limit in UTF-16 code units
     */
    public static String text(String text, int limit) {
        StringBuilder printable = new StringBuilder(Math.min(text.length(), limit));
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            if (printable.length() + Character.charCount(codePoint) > limit) {
                return printable
                        .append("… (%d characters)".formatted(text.length()))
                        .toString();
            }
            printable.appendCodePoint(isHarmless(codePoint) ? codePoint : '\uFFFD');
            at += Character.charCount(codePoint);
        }
        return printable.toString();
    }

    private static boolean isHarmless(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
