package org.fleetgrad.runs.search;

import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.runs.settings.Until;

/**
 * One run of a search.
 *
 * @param number from 1
 * @param name   of the run, and of its folder
 * @param folder of the run, in that of the search
 * @param values by option, in the order of the user
 * @param until  where it ends, if nothing ends it before
 */
public record Trial(int number, String name, Path folder, Map<String, String> values, Until until) {

    /** Writes its values for people. */
    public String text() {
        return String.join(
                ", ",
                values.entrySet().stream()
                        .map(value -> "%s %s".formatted(value.getKey(), value.getValue()))
                        .toList());
    }
}
