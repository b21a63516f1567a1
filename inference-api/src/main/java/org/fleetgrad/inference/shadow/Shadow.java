package org.fleetgrad.inference.shadow;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.policy.WantedVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest version computes some of the requests that another version answered, unseen by their clients, and their predictions are compared.
 * It gets a random share of the requests, so it sees what the served version does; a request is left out while others wait, while one is
 * compared, and when the budget is used up. So no answer waits for it, and the samples of one request are in memory for it. Thread-safe.
 */
public final class Shadow {

    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);

    private final ShadowBudget budget;
    private final Model model;
    private final Executor thread;
    private final LongSupplier nanos;
    private final DoubleSupplier random;
    private final Disagreements disagreements = new Disagreements();
    private final AtomicBoolean isComputing = new AtomicBoolean();
    private final LongAdder dropped = new LongAdder();

    /**
     * What computes.
     *
     * @param versions the held versions, oldest first
     * @param predict  computes with one of them
     * @param queued   samples that wait for a batch
     */
    public record Model(
            Supplier<List<ParameterVersion>> versions,
            BiFunction<WantedVersion, Images, PredictionOutcome> predict,
            IntSupplier queued) {}

    /**
     * Makes a shadow.
     *
     * @param budget the time that it may take; its share is that of the requests, too
     * @param thread computes beside the answers
     * @param nanos  a clock such as {@link System#nanoTime}
     * @param random from 0 to below 1
     */
    public Shadow(ShadowBudget budget, Model model, Executor thread, LongSupplier nanos, DoubleSupplier random) {
        this.budget = budget;
        this.model = model;
        this.thread = thread;
        this.nanos = nanos;
        this.random = random;
    }

    /** Takes note of a request that was just answered by the version that the policy chose; returns at once. */
    public void answered(Images request, PredictionResult served) {
        if (random.getAsDouble() >= budget.share()) {
            return;
        }
        List<ParameterVersion> held = model.versions().get();
        if (held.isEmpty() || held.get(held.size() - 1).equals(served.version())) {
            return;
        }
        if (model.queued().getAsInt() > 0 || !isComputing.compareAndSet(false, true)) {
            dropped.increment();
            return;
        }
        if (!budget.begin(request.count())) {
            isComputing.set(false);
            dropped.increment();
            return;
        }
        ParameterVersion newest = held.get(held.size() - 1);
        thread.execute(() -> compute(newest, request, served));
    }

    private void compute(ParameterVersion newest, Images request, PredictionResult served) {
        long begin = nanos.getAsLong();
        try {
            PredictionOutcome outcome =
                    model.predict().apply(new WantedVersion.Named(newest.generation(), newest.version()), request);
            if (outcome instanceof PredictionResult result) {
                disagreements.compare(served, result);
            } else {
                // The version is gone, or takes other samples.
                dropped.increment();
            }
        } catch (RuntimeException failed) {
            LOG.warn("version {} did not compute a request that {} answered", newest, served.version(), failed);
            dropped.increment();
        } finally {
            budget.end(request.count(), nanos.getAsLong() - begin);
            isComputing.set(false);
        }
    }

    /** Returns the figures of the pairs of versions that were compared last, the last one first. */
    public List<PairFigures> last() {
        return disagreements.last();
    }

    /** Returns the samples that were compared so far. */
    public long samples() {
        return disagreements.samples();
    }

    /** Returns the samples that were predicted otherwise. */
    public long differing() {
        return disagreements.differing();
    }

    /** Returns the requests of the share that were left out. */
    public long dropped() {
        return dropped.sum();
    }
}
