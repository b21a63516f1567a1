package org.fleetgrad.datasets.image;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.datasets.InvalidDatasetException;

/**
 * The files of a dataset that are no images. They are found twice: some by their headers, others when they are decoded. Not thread-safe.
 */
final class BrokenFiles {

    /** Files that a message lists. */
    private static final int LISTED = 10;

    private final boolean isSkipping;
    private final List<String> reasons = new ArrayList<>();
    private int files;

    BrokenFiles(boolean isSkipping) {
        this.isSkipping = isSkipping;
    }

    /**
     * Adds those of a part of the dataset.
     *
     * @param reasons why each is broken, by its place in the part
     * @param count   files of the part, whether broken or not
     */
    void add(SortedMap<Integer, String> reasons, int count) {
        this.reasons.addAll(new TreeMap<>(reasons).values());
        files += count;
    }

    /**
     * Checks that there are none, unless they are skipped.
     *
     * @throws InvalidDatasetException with the first of them
     */
    void require() throws InvalidDatasetException {
        if (isSkipping || reasons.isEmpty()) {
            return;
        }
        throw new InvalidDatasetException(
                reasons.size() == 1
                        ? "%s; repair or remove it, or leave it out with --skip-broken".formatted(reasons.get(0))
                        : "%,d of %,d files are not images that can be read; repair or remove them, or leave them out with --skip-broken:%s"
                                .formatted(reasons.size(), files, list()));
    }

    /** Says which files were left out; nothing if none was. */
    List<String> notes() {
        return reasons.isEmpty()
                ? List.of()
                : List.of("%,d of %,d files are broken and left out (--skip-broken):%s"
                        .formatted(reasons.size(), files, list()));
    }

    private String list() {
        StringBuilder list = new StringBuilder();
        reasons.stream().limit(LISTED).forEach(reason -> list.append("\n  ").append(reason));
        if (reasons.size() > LISTED) {
            list.append("\n  and %,d more".formatted(reasons.size() - LISTED));
        }
        return list.toString();
    }
}
