package org.fleetgrad.openwhisk;

/** Makes text that others wrote fit to be shown. */
final class Shown {

    /** Longest text that is kept whole, in UTF-16 code units. */
    static final int LIMIT = 400;

    private static final char REPLACEMENT = '\uFFFD';

    private Shown() {}

    /** Replaces control and format characters and unpaired surrogates, and cuts what exceeds the limit. */
    static String text(String text) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), LIMIT));
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            if (shown.length() + Character.charCount(codePoint) > LIMIT) {
                return shown.append("… (%d characters)".formatted(text.length()))
                        .toString();
            }
            shown.appendCodePoint(isHarmless(codePoint) ? codePoint : REPLACEMENT);
            at += Character.charCount(codePoint);
        }
        return shown.toString();
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
