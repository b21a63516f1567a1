package org.fleetgrad.protocol.tensor;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/**
 * A pattern of tensors' names, in which each {@code *} stands for any characters, also for none: {@code layer1.*} matches
 * {@code layer1.0.conv1.weight}. It matches complete names. Immutable.
 *
 * @param text the pattern as written: without white space, commas and equals signs, which separate patterns in settings
 */
public record TensorPattern(String text) {

    /** Names that a message lists, if it cannot list all. */
    private static final int MOST_LISTED = 12;

    /** Checks the characters. */
    public TensorPattern {
        boolean isAllowed = text.chars().noneMatch(c -> Character.isWhitespace(c) || c == ',' || c == '=');
        if (text.isEmpty() || !isAllowed) {
            throw new IllegalArgumentException(Printable.text(
                    "'%s' is no pattern of tensors' names: write one such as 'layer1.*', with commas between several"
                            .formatted(text)));
        }
    }

    /** Returns whether a complete name matches. Takes time in proportion to the lengths, whatever the pattern is. */
    public boolean matches(String name) {
        String[] pieces = text.split("\\*", -1);
        String first = pieces[0];
        String last = pieces[pieces.length - 1];
        if (pieces.length == 1) {
            return name.equals(text);
        }
        if (!name.startsWith(first) || name.length() < first.length() + last.length() || !name.endsWith(last)) {
            return false;
        }
        int end = name.length() - last.length();
        int at = first.length();
        for (int i = 1; i < pieces.length - 1; i++) {
            // The leftmost place leaves the most characters for the pieces after it.
            int found = name.indexOf(pieces[i], at);
            if (found < 0 || found + pieces[i].length() > end) {
                return false;
            }
            at = found + pieces[i].length();
        }
        return true;
    }

    /**
     * Checks that the pattern matches one of these tensors.
     *
     * @param setting the setting that has the pattern, for the message
     * @throws IllegalArgumentException if it matches none; the message lists the names, those that begin alike first
     */
    void requireMatch(String setting, TensorLayout layout) {
        if (layout.specs().stream().noneMatch(spec -> matches(spec.name()))) {
            throw new IllegalArgumentException(Printable.text("%s: '%s' matches none of the %d tensors: %s"
                    .formatted(setting, text, layout.size(), nearest(layout))));
        }
    }

    private String nearest(TensorLayout layout) {
        List<String> names = layout.specs().stream()
                .map(TensorSpec::name)
                .sorted(Comparator.comparingInt((String name) -> -commonBeginning(name)))
                .toList();
        String listed = names.stream().limit(MOST_LISTED).sorted().collect(Collectors.joining(", "));
        int others = names.size() - MOST_LISTED;
        return others <= 0 ? listed : "%s and %d others".formatted(listed, others);
    }

    private int commonBeginning(String name) {
        int at = 0;
        while (at < Math.min(name.length(), text.length()) && name.charAt(at) == text.charAt(at)) {
            at++;
        }
        return at;
    }

    @Override
    public String toString() {
        return text;
    }
}
