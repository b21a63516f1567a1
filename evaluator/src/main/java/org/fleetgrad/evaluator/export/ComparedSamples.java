package org.fleetgrad.evaluator.export;

import java.util.Locale;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.evaluation.TestSet.Reader;

/**
 * Samples on which two runtimes are compared.
 *
 * @param description for people
 * @param count       how many there are
 * @param reader      writes one of them into a batch
 */
public record ComparedSamples(String description, int count, Reader reader) {

    private static final int MOST = 100;
    private static final long MOST_OUTPUTS = 1 << 24;

    /** Returns how many samples of a network are enough: fewer if each has many outputs. */
    static int enough(ServedNetwork network) {
        long outputs = network.outputShape().stream().reduce(1, Math::multiplyExact);
        return (int) Math.max(1, Math.min(MOST, MOST_OUTPUTS / outputs));
    }

    /**
     * Takes held-out samples, evenly from all of them.
     *
     * @throws IllegalArgumentException if they do not fit the network or its parameters
     */
    public static ComparedSamples heldOut(String place, TestSet set, ServedNetwork network, TensorSet parameters) {
        set.requireFor(network, parameters);
        int all = set.samples().count();
        int count = Math.min(all, enough(network));
        Reader reader = set.reader(parameters, network);
        return new ComparedSamples(
                String.format(Locale.ROOT, "%,d of %,d held-out samples of %s", count, all, place),
                count,
                (index, inputs, targets, at) -> reader.read((int) ((long) index * all / count), inputs, targets, at));
    }
}
