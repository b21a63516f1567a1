package org.fleetgrad.serving.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/** Stores held-out accuracies, from any evaluator: those of the last versions that were evaluated. Thread-safe. */
public final class HeldOutAccuracies {

    /** Maximum number of stored versions; the one received first is evicted first. */
    static final int MAX_STORED = 4096;

    /** The share of held-out samples that a version classified correctly. */
    public record HeldOutAccuracy(ParameterVersion version, double accuracy) {}

    private final Map<ParameterVersion, Double> accuracies = new LinkedHashMap<>();
    private @Nullable HeldOutAccuracy newest;
    private @Nullable ParameterVersion expected;

    /** Stores the accuracy of a version. */
    public synchronized void record(HeldOutAccuracy reported) {
        accuracies.put(reported.version(), reported.accuracy());
        if (accuracies.size() > MAX_STORED) {
            accuracies.remove(accuracies.keySet().iterator().next());
        }
        if (reported.version().equals(expected)) {
            expected = null;
        }
        HeldOutAccuracy present = newest;
        if (present == null || !isNewer(present, reported)) {
            newest = reported;
        }
    }

    private static boolean isNewer(HeldOutAccuracy present, HeldOutAccuracy reported) {
        return present.version().generation().equals(reported.version().generation())
                && present.version().version() > reported.version().version();
    }

    /** Returns the accuracy of the newest version of a generation that was evaluated. */
    public synchronized Optional<HeldOutAccuracy> newest(String generation) {
        return Optional.ofNullable(newest)
                .filter(known -> known.version().generation().equals(generation));
    }

    /** Returns a version's own accuracy; empty if it is not evaluated, or its accuracy was evicted. */
    public synchronized OptionalDouble of(ParameterVersion version) {
        Double accuracy = accuracies.get(version);
        return accuracy == null ? OptionalDouble.empty() : OptionalDouble.of(accuracy);
    }

    /**
     * Records that a version is being evaluated. It stays held until its accuracy is known: otherwise a fast training would
     * replace each version before the policies know its accuracy.
     */
    public synchronized void expect(ParameterVersion version) {
        expected = version;
    }

    /** Returns the version that is being evaluated. */
    public synchronized Optional<ParameterVersion> expected() {
        return Optional.ofNullable(expected);
    }
}
