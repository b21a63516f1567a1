package org.fleetgrad.datasets.shard;

import java.util.regex.Pattern;

/** The rule for names of datasets, which become parts of file and object names. */
final class DatasetName {

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private DatasetName() {}

    static void require(String name) {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a dataset's name must have 1 to 100 letters, digits, '.', '-' and '_', the first a letter or digit; it is '%s'"
                            .formatted(name));
        }
    }
}
