package org.fleetgrad.protocol;

/** Makes what a stranger sent fit for a message: neither a line break nor a megabyte of names may reach a log. */
public final class Printable {

    /** Longest text that is kept whole, in UTF-16 code units. */
    public static final int LIMIT = 400;

    private Printable() {}

    /** Replaces control and format characters and unpaired surrogates by U+FFFD, and cuts what exceeds the limit. */
    public static String text(String text) {
        StringBuilder printable = new StringBuilder(Math.min(text.length(), LIMIT));
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            if (printable.length() + Character.charCount(codePoint) > LIMIT) {
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
