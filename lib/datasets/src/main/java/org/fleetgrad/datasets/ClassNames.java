package org.fleetgrad.datasets;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The names of a dataset's classes: their rule, and those of the datasets whose files do not contain them. */
public final class ClassNames {

    /** Most bytes of one name in UTF-8. */
    public static final int MAX_NAME_BYTES = 256;

    /**
     * Most bytes of all names together in UTF-8: 65,536 names of 8 bytes. They are also sent in the header of a parameter
     * set, which has at most 1 MiB.
     */
    public static final int MAX_TOTAL_BYTES = 1 << 19;

    private static final int DIGITS = 10;

    private static final List<String> FASHION_MNIST = List.of(
            "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot");

    private ClassNames() {}

    /** Returns the numbers from 0 (inclusive) to {@code count} (exclusive) as names. */
    public static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    /** Returns the class names of a dataset whose files do not contain them, if it is a known one. */
    public static Optional<List<String>> known(String dataset) {
        return switch (dataset) {
            case "mnist", "svhn" -> Optional.of(numbers(DIGITS));
            case "fashion-mnist" -> Optional.of(FASHION_MNIST);
            default -> Optional.empty();
        };
    }

    /**
     * Returns the class names of a known dataset; for another dataset, the numbers from 0 to {@code largestLabel}.
     *
     * @throws IllegalArgumentException if a known dataset has no class {@code largestLabel}
     */
    public static List<String> of(String dataset, int largestLabel) {
        Optional<List<String>> known = known(dataset);
        if (known.isPresent() && largestLabel >= known.get().size()) {
            throw new IllegalArgumentException(
                    "the dataset's name is %s, which has %d classes, but there is a label %d; give it another name (--dataset-name)"
                            .formatted(dataset, known.get().size(), largestLabel));
        }
        return known.orElseGet(() -> numbers(largestLabel + 1));
    }

    /**
     * Checks the names of a dataset's classes: 1 to 65,536, none empty, none with control characters.
     *
     * @throws IllegalArgumentException if a rule is broken; the message has the numbers
     */
    public static void require(List<String> names) {
        if (names.isEmpty() || names.size() > Labels.MAX_CLASSES) {
            throw new IllegalArgumentException(
                    "a dataset must have 1 to %d classes; it has %d".formatted(Labels.MAX_CLASSES, names.size()));
        }
        long total = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            int bytes = name.getBytes(StandardCharsets.UTF_8).length;
            if (name.isBlank() || bytes > MAX_NAME_BYTES || name.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        "class %d must have a name of 1 to %d bytes without control characters; it has %d bytes"
                                .formatted(i, MAX_NAME_BYTES, bytes));
            }
            total += bytes;
        }
        if (total > MAX_TOTAL_BYTES) {
            throw new IllegalArgumentException("the names of %d classes have %d bytes together, the limit is %d"
                    .formatted(names.size(), total, MAX_TOTAL_BYTES));
        }
    }
}
