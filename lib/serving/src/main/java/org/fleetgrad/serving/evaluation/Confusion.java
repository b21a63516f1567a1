package org.fleetgrad.serving.evaluation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;

/** Counts which class is taken for which. Confined to one thread. */
final class Confusion {

    private final List<String> names;
    private final long[][] counts;

    /** @param names of the classes */
    Confusion(List<String> names) {
        this.names = names;
        this.counts = new long[names.size()][names.size()];
    }

    void add(int label, int predicted) {
        counts[label][predicted]++;
    }

    ClassDetails details() {
        int classes = names.size();
        List<ClassFigures> figures =
                IntStream.range(0, classes).mapToObj(this::figures).toList();
        double macroF1 = IntStream.range(0, classes)
                .filter(i -> samples(i) + predictions(i) > 0)
                .mapToDouble(i -> figures.get(i).f1())
                .average()
                .orElse(0);
        return new ClassDetails(
                macroF1,
                figures,
                Arrays.stream(counts)
                        .map(row -> Arrays.stream(row).boxed().toList())
                        .toList());
    }

    private ClassFigures figures(int i) {
        long hits = counts[i][i];
        return new ClassFigures(
                names.get(i),
                samples(i),
                BinaryScores.ratio(hits, predictions(i)),
                BinaryScores.ratio(hits, samples(i)),
                BinaryScores.ratio(2 * hits, samples(i) + predictions(i)));
    }

    private long samples(int label) {
        return Arrays.stream(counts[label]).sum();
    }

    private long predictions(int predicted) {
        return Arrays.stream(counts).mapToLong(row -> row[predicted]).sum();
    }
}
