package org.fleetgrad.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Takes the sentences out of Markdown: a small network that sees few of them should not learn tables and addresses. */
final class PlainText {

    private static final String FENCE = "```";
    private static final Pattern ITEM = Pattern.compile("^\\s*([-*]|\\d+\\.) +");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern MARKUP = Pattern.compile("[`*]|<[^>]*>");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    /** Shorter ones are titles and captions. */
    private static final int SHORTEST = 40;

    private PlainText() {}

    /** Returns the paragraphs and the items of lists, each as one line without markup. */
    static List<String> paragraphs(String markdown) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        boolean isCode = false;
        for (String line : markdown.lines().toList()) {
            boolean isFence = line.strip().startsWith(FENCE);
            isCode ^= isFence;
            boolean isNone = isFence || isCode || line.isBlank() || line.startsWith("|") || line.startsWith("#");
            if (isNone || ITEM.matcher(line).find()) {
                end(open, paragraphs);
            }
            if (!isNone) {
                open.append(ITEM.matcher(line).replaceFirst("")).append(' ');
            }
        }
        end(open, paragraphs);
        return paragraphs;
    }

    private static void end(StringBuilder open, List<String> paragraphs) {
        String words = LINK.matcher(open).replaceAll("$1");
        String text = SPACE.matcher(MARKUP.matcher(words).replaceAll("")).replaceAll(" ");
        if (text.strip().length() >= SHORTEST) {
            paragraphs.add(text.strip());
        }
        open.setLength(0);
    }
}
