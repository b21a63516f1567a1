package org.fleetgrad.optim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What may be written for a setting that {@link SpecText} reads: for messages, and for docs/configuration.md.
 *
 * @param what     the setting in a word or two
 * @param meaning  what the forms say something about: the title of the table's second column
 * @param forms    examples with their meanings
 * @param examples how many of them a message names
 */
record SpecForms(String what, String meaning, Map<String, String> forms, int examples) {

    /** Makes the forms from examples and their meanings, in turns. */
    static SpecForms of(String what, String meaning, int examples, String... forms) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < forms.length; i += 2) {
            pairs.put(forms[i], forms[i + 1]);
        }
        return new SpecForms(what, meaning, pairs, examples);
    }

    /** Returns what to write, for a message. */
    String help() {
        return "write "
                + forms.keySet().stream()
                        .limit(examples)
                        .collect(Collectors.joining(", "))
                        .replaceFirst(", ([^ ]+)$", " or $1");
    }

    /** Returns the table of the forms. */
    String table() {
        return forms.entrySet().stream()
                .map(form -> "| `%s` | %s |\n".formatted(form.getKey(), form.getValue()))
                .collect(Collectors.joining("", "| %s | %s |\n|---|---|\n".formatted(what, meaning), ""));
    }
}
