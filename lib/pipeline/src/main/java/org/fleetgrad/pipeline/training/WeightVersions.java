package org.fleetgrad.pipeline.training;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.jspecify.annotations.Nullable;

/**
 * The live copies of a stage's weights: the current version, under stashing the older ones that micro-batches in flight
 * still need, and predicted ones.
 *
 * <p>An older version has one slot, shared by all micro-batches that use it, and is freed by the last of them. Without
 * stashing there is one version only: a step overwrites it in place, even under graphs that wait for their backward pass.
 * With stashing a step leaves a leased slot unchanged, and writes the new values to a new one. So a graph finds exactly the
 * values that it was computed with, and there are never more copies than versions.
 *
 * <p>If forward passes use predicted weights, the current ones have a slot only while it is leased: the optimizer has their
 * values.
 */
final class WeightVersions implements AutoCloseable {

    private final StageNetwork network;
    private final boolean isStashing;
    private final float[] values;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private Copy present;
    private int copies = 1;
    private int mostCopies = 1;
    private int mostVersions = 1;

    /** One version or prediction, with the number of leases on it. */
    private static final class Copy {
        private long version;
        private int leases;
        private @Nullable WeightSlot slot;

        Copy(@Nullable WeightSlot slot, long version) {
            this.slot = slot;
            this.version = version;
        }
    }

    /** The use of one copy by one micro-batch. */
    final class Lease implements AutoCloseable {
        private final Copy copy;
        private final long version;
        private final int predicted;

        private Lease(Copy copy, int predicted) {
            this.copy = copy;
            this.version = copy.version;
            this.predicted = predicted;
            copy.leases++;
            leases.add(this);
        }

        WeightSlot slot() {
            return Objects.requireNonNull(copy.slot);
        }

        /** Returns the version that the values had when the lease began. */
        long version() {
            return version;
        }

        /** Returns the number of steps by which the values were predicted; 0 if they were not. */
        int predicted() {
            return predicted;
        }

        /** Ends the lease, and frees the copy if it was the last lease on it. Idempotent. */
        @Override
        public void close() {
            if (leases.remove(this)) {
                copy.leases--;
                if (copy.leases == 0 && copy != present) {
                    free(copy);
                }
            }
        }
    }

    /** @param values the current weights; the optimizer changes them in place, and then calls {@link #advance} */
    WeightVersions(StageNetwork network, boolean isStashing, float[] values) {
        this.network = network;
        this.isStashing = isStashing;
        this.values = values;
        this.present = new Copy(network.allocate(values), 0);
    }

    /** Returns the current version. */
    long version() {
        return present.version;
    }

    /** Leases the current weights. Without stashing they may change during the lease. */
    Lease lease() {
        if (present.slot == null) {
            present.slot = network.allocate(values);
            count(1);
        }
        return new Lease(present, 0);
    }

    /** Leases weights that are predicted {@code steps} ahead, in a separate copy. */
    Lease lease(float[] predicted, int steps) {
        if (present.leases == 0 && present.slot != null) {
            free(present);
        }
        Copy copy = new Copy(network.allocate(predicted), present.version);
        count(1);
        return new Lease(copy, steps);
    }

    /** Makes the optimizer's values the current weights, as the next version. */
    void advance() {
        if (isStashing && present.leases > 0) {
            present = new Copy(network.allocate(values), present.version + 1);
            count(1);
        } else {
            if (present.slot != null) {
                present.slot.set(values);
            }
            present.version++;
        }
        mostVersions = Math.max(mostVersions, versions());
    }

    /** Returns the number of distinct live versions, including the current one. */
    private int versions() {
        Set<Long> versions = new LinkedHashSet<>();
        versions.add(present.version);
        if (isStashing) {
            leases.forEach(lease -> versions.add(lease.version));
        }
        return versions.size();
    }

    /** Returns the largest number of distinct live versions since the last call. */
    int takeMostVersions() {
        int most = mostVersions;
        mostVersions = versions();
        return most;
    }

    /** Returns the largest number of slots in use since the last call. */
    int takeMostCopies() {
        int most = mostCopies;
        mostCopies = copies;
        return most;
    }

    /** Returns the number of slots in use. */
    int copies() {
        return copies;
    }

    /** Restores the optimizer's values and their version; nothing may be in flight. */
    void restore(long version) {
        if (!leases.isEmpty()) {
            throw new IllegalStateException("%d micro-batches still use the weights".formatted(leases.size()));
        }
        if (present.slot != null) {
            present.slot.set(values);
        }
        present.version = version;
    }

    private void count(int more) {
        copies += more;
        mostCopies = Math.max(mostCopies, copies);
    }

    private void free(Copy copy) {
        Objects.requireNonNull(copy.slot).close();
        copy.slot = null;
        count(-1);
    }

    /** Frees all copies; no graph may be alive. */
    @Override
    public void close() {
        Set.copyOf(leases).forEach(Lease::close);
        if (present.slot != null) {
            free(present);
        }
    }
}
