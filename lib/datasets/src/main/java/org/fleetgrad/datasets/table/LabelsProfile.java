package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.files.text.Printable;

/** Which of the training rows have which of several labels. Not thread-safe. */
final class LabelsProfile implements TargetProfile {

    private static final int MOST_FOUND = 4;

    private final LabelsTarget target;
    private final int[] sources;
    private final List<BitSet> rowsOfLabel;
    private final List<Set<String>> found;
    private int rows;

    /** @param sources in which column of a row each label is */
    LabelsProfile(LabelsTarget target, int[] sources) {
        this.target = target;
        this.sources = sources.clone();
        this.rowsOfLabel = Stream.generate(BitSet::new).limit(sources.length).toList();
        this.found = Stream.<Set<String>>generate(LinkedHashSet::new)
                .limit(sources.length)
                .toList();
    }

    @Override
    public void add(TableRows row, boolean isHeldOut) throws IOException {
        for (int label = 0; label < sources.length; label++) {
            boolean isYes = isYes(label, row.get(sources[label]));
            if (isYes && !isHeldOut) {
                rowsOfLabel.get(label).set(rows);
            }
        }
        rows += isHeldOut ? 0 : 1;
    }

    private boolean isYes(int label, String value) {
        Set<String> before = found.get(label);
        try {
            boolean isYes = target.columns().get(label).encode(value) == 1;
            if (before.size() < MOST_FOUND) {
                before.add(value);
            }
            return isYes;
        } catch (IllegalArgumentException invalid) {
            throw before.isEmpty()
                    ? invalid
                    : new IllegalArgumentException(
                            "%s; the rows before have %s"
                                    .formatted(invalid.getMessage(), Printable.text(String.join(", ", before))),
                            invalid);
        }
    }

    /** A label that all rows have, or none, teaches nothing, and its figures would look perfect. */
    @Override
    public void requireFit() {
        if (rows < 2) {
            return;
        }
        for (int label = 0; label < sources.length; label++) {
            int count = rowsOfLabel.get(label).cardinality();
            if (count == 0 || count == rows) {
                throw new IllegalArgumentException(
                        "the label '%s' is %s in all %,d training rows, so there is nothing to predict; leave it out of the targets"
                                .formatted(
                                        Printable.text(
                                                target.columns().get(label).name()),
                                        count == 0 ? "no" : "yes",
                                        rows));
            }
        }
    }

    @Override
    public boolean isNumber() {
        return false;
    }

    @Override
    public TableTarget target() {
        return target;
    }

    /**
     * A row is of the stratum of its rarest label, so that rare labels are held out too: there are too many combinations of labels for a
     * stratum each, as K. Sechidis et al., "On the Stratification of Multi-label Data", 2011, say.
     */
    @Override
    public int[] strata() {
        int[] strata = new int[rows];
        List<Integer> frequentFirst =
                new ArrayList<>(IntStream.range(0, sources.length).boxed().toList());
        frequentFirst.sort(
                Comparator.comparingInt(label -> -rowsOfLabel.get(label).cardinality()));
        for (int label : frequentFirst) {
            rowsOfLabel.get(label).stream().forEach(row -> strata[row] = label + 1);
        }
        return strata;
    }
}
