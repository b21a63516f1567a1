package org.fleetgrad.runs.kept;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.files.text.Printable;

/**
 * What a user calls a run.
 *
 * @param name its own name, which no other run has; absent if its folder names it
 * @param tags words that several runs share, in the user's order
 * @param note a sentence about it
 */
public record RunLabel(Optional<String> name, List<String> tags, Optional<String> note) {

    /** No name, no tags, no note. */
    public static final RunLabel NONE = new RunLabel(Optional.empty(), List.of(), Optional.empty());

    /** The words that name a run by what it is. */
    static final Set<String> WORDS = Set.of("LAST", "BEST");

    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_NOTE = Printable.LIMIT;
    private static final int MOST_TAGS = 20;

    /** @throws IllegalArgumentException if a text is blank, too long, or not printable */
    public RunLabel {
        tags = List.copyOf(tags);
        name.ifPresent(text -> {
            require("a name", text, LONGEST_NAME);
            if (text.contains("/") || text.contains("\\") || text.startsWith("-") || text.startsWith(".")) {
                throw new IllegalArgumentException(
                        "a name of a run must not contain / or \\, nor begin with - or a dot; it is '%s'"
                                .formatted(text));
            }
            if (WORDS.contains(text.toUpperCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "LAST is the newest run and BEST the best one: '%s' cannot name another".formatted(text));
            }
        });
        if (tags.size() > MOST_TAGS) {
            throw new IllegalArgumentException(
                    "a run may have %d tags; these are %d".formatted(MOST_TAGS, tags.size()));
        }
        tags.forEach(tag -> require("a tag", tag, LONGEST_NAME));
        note.ifPresent(text -> require("a note", text, LONGEST_NOTE));
    }

    private static void require(String what, String text, int longest) {
        String shown = Printable.text(text);
        if (text.length() > longest) {
            throw new IllegalArgumentException(
                    "%s may have %d characters; this one has %d: '%s'".formatted(what, longest, text.length(), shown));
        }
        if (text.isBlank() || !text.strip().equals(text) || !shown.equals(text)) {
            throw new IllegalArgumentException(
                    "%s must be printable, in one line, without blanks around it; it is '%s'".formatted(what, shown));
        }
    }

    /** Returns this label with a sentence at the end of its note, of whose beginning so much is kept as fits. */
    RunLabel noting(String sentence) {
        String before = note.orElse("");
        if (before.endsWith(sentence)) {
            return this;
        }
        String separator = before.isEmpty() ? "" : "; ";
        int room = Math.max(0, LONGEST_NOTE - separator.length() - sentence.length());
        String kept = before.substring(0, Math.min(room, before.length()))
                // Half a character is not printable.
                .replaceFirst("\\p{Cs}$", "")
                .strip();
        return new RunLabel(name, tags, Optional.of(kept.isEmpty() ? sentence : kept + separator + sentence));
    }

    /** Returns this label with what it lacks from an earlier one, of a run that continues in its folder. */
    RunLabel or(RunLabel earlier) {
        return new RunLabel(name.or(earlier::name), tags.isEmpty() ? earlier.tags() : tags, note.or(earlier::note));
    }
}
