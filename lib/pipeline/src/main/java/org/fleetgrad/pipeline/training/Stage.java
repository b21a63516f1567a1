package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.StageOrder;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.schedule.StepRule;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.jspecify.annotations.Nullable;

/**
 * One stage in training: it runs the passes of a micro-batch, chooses the weights, and takes the steps. {@link Combination}
 * has the table of the weights. It blocks only for the {@link NormSum}, when clipping; {@link StageLoop} transfers the
 * frames.
 *
 * <p>Used by one thread at a time. After an exception only {@link #close} may be called.
 */
public final class Stage implements AutoCloseable {

    private final StageSettings settings;
    private final Combination combination;
    private final StageStaleness staleness;
    private final StageNetwork network;
    private final StageOptimizer optimizer;
    private final WeightVersions weights;
    private final Optional<TiedEnd> tied;
    private final LongSupplier clock;
    private final Map<Integer, InFlightMicroBatch> inFlight = new LinkedHashMap<>();
    private final List<Span> spans = new ArrayList<>();

    private StageOrder order;
    private int forwards;
    private int backwards;
    private int accumulated;
    private int steps;
    private int mostInFlight;
    private double losses;
    private long correct;
    private long labels;
    private @Nullable InFlightMicroBatch unfinished;
    private int unfinishedStaleness;

    /**
     * Makes a stage with no micro-batch in flight.
     *
     * @param network computes it; closed with the stage
     * @param initial the initial weights; the stage takes ownership, since it has no memory for a copy
     * @param norm    where clipping adds up the norm; unused without clipping
     * @param clock   in nanoseconds, the same for all stages
     */
    public Stage(StageSettings settings, StageNetwork network, float[] initial, NormSum norm, LongSupplier clock) {
        if (initial.length != network.parameterCount()
                || initial.length != settings.decayed().size()) {
            throw new IllegalArgumentException(
                    "stage %d has %d parameters, its weights are %d values, and its weight decay is for %d"
                            .formatted(
                                    settings.place().stage(),
                                    network.parameterCount(),
                                    initial.length,
                                    settings.decayed().size()));
        }
        if (network.isLast() != settings.place().isLast()) {
            throw new IllegalArgumentException("stage %d of %d got a network that ends %s"
                    .formatted(
                            settings.place().stage(),
                            settings.place().stages(),
                            network.isLast() ? "in the loss" : "before the loss"));
        }
        this.settings = settings;
        this.combination = settings.combination();
        this.staleness = settings.staleness();
        this.network = network;
        this.optimizer = new StageOptimizer(settings, initial, norm);
        this.weights = new WeightVersions(network, combination.stash(), initial);
        this.tied = network.tied()
                .map(tensor -> new TiedEnd(
                        tensor, TiedOrder.of(combination, settings.place().stages()), network));
        this.clock = clock;
        this.order = settings.order(0);
    }

    /** Returns the position of the stage. */
    public StagePlace place() {
        return settings.place();
    }

    /** Returns how many frames of a tied tensor may wait. */
    int tiedFrames() {
        return combination.schedule().tiedFrames(place().stages());
    }

    /** Returns whether the next pass, of this kind, needs a frame with a tied tensor first: {@link #putTied}. */
    public boolean awaitsTied(Kind pass) {
        int microBatch = pass == Kind.FORWARD ? forwards : backwards;
        return tied.filter(end -> end.awaits(pass, microBatch)).isPresent();
    }

    /**
     * Takes the other stage's frame for the next pass: the values of the tied tensor on the last stage, their gradient on the
     * first one.
     */
    public void putTied(Frame frame) {
        tied.orElseThrow().put(frame);
    }

    /** Returns what the last pass made for the stage at the other end of the tie; empty if that needs nothing, and then once. */
    public Optional<Frame> takeTied() {
        return tied.flatMap(TiedEnd::take);
    }

    /**
     * Begins a window of this many micro-batches, and returns its operations in order.
     *
     * @throws IllegalStateException if the previous window is not flushed
     */
    public StageOrder begin(int microBatches) {
        requireFlushed();
        order = settings.order(microBatches);
        forwards = 0;
        backwards = 0;
        accumulated = 0;
        steps = 0;
        mostInFlight = 0;
        losses = 0;
        correct = 0;
        labels = 0;
        spans.clear();
        return order;
    }

    /**
     * Runs the next forward pass.
     *
     * @return the frame for the next stage; empty on the last one
     */
    public Optional<Frame> forward(MicroBatch batch, Frame input) {
        long start = clock.getAsLong();
        int microBatch = forwards++;
        int expected = staleness.at(microBatch);
        WeightVersions.Lease lease = leaseForForward(batch.index(), microBatch, expected);
        boolean retains = !combination.recompute() || isBackwardNext(microBatch);
        StageActivation activation =
                network.forward(lease.slot(), batch, input, retains ? Graph.RETAINED : Graph.DISCARDED);
        Optional<Frame> output = Optional.empty();
        if (network.isLast()) {
            losses += activation.loss();
            correct += activation.correct().orElse(0);
            labels += batch.targets().length;
        } else {
            output = Optional.of(activation.output());
        }
        long version = lease.version();
        int predicted = lease.predicted();
        boolean needsWeights = retains || combination.stash();
        if (!retains) {
            activation.close();
        }
        if (!needsWeights) {
            lease.close();
        }
        inFlight.put(
                microBatch,
                new InFlightMicroBatch(
                        batch,
                        retains ? null : input,
                        retains ? activation : null,
                        needsWeights ? lease : null,
                        version,
                        predicted));
        mostInFlight = Math.max(mostInFlight, inFlight.size());
        record(Activity.FORWARD, batch.index(), version, predicted, 0, start);
        return output;
    }

    private WeightVersions.Lease leaseForForward(long index, int microBatch, int expected) {
        int horizon = optimizer.horizon(expected);
        float[] values = optimizer.parameters();
        if (horizon > 0) {
            double rateFactor = stepRule().rateFactor(microBatch);
            values = optimizer.predict(network, expected, rateFactor, accumulated > 0);
        }
        if (tied.isPresent()) {
            tied.get().forward(microBatch, index, values);
        }
        return horizon == 0 ? weights.lease() : weights.lease(values, horizon);
    }

    /** Only on the last stage: its backward pass waits for no frame, so recomputation would save no memory. */
    private boolean isBackwardNext(int microBatch) {
        return network.isLast() && !order.isForwardNext(forwards, backwards) && order.backward(backwards) == microBatch;
    }

    /**
     * Runs the next backward pass, and accumulates its gradient.
     *
     * @param outputGradient from the next stage; empty on the last one
     * @return the frame for the stage before; empty on the first one
     */
    public Optional<Frame> backward(Optional<Frame> outputGradient) {
        long start = clock.getAsLong();
        int microBatch = order.backward(backwards);
        InFlightMicroBatch held = inFlight.get(microBatch);
        if (held == null) {
            throw new IllegalStateException("micro-batch %d goes backward on stage %d and is not under way: %s"
                    .formatted(microBatch, place().stage(), inFlight.keySet()));
        }
        int stale = Math.toIntExact(weights.version() - held.version());
        // For the timeline only: forward() made the choice, or recomputed() makes it.
        boolean usesForwardWeights =
                held.activation() == null ? usesStashInBackward() : combination.stash() || held.predicted() > 0;
        long version = usesForwardWeights ? held.version() : weights.version();
        int predicted = usesForwardWeights ? held.predicted() : 0;
        StageActivation retained = held.activation();
        Optional<Frame> inputGradient =
                retained == null ? recomputed(held, outputGradient) : backward(retained, outputGradient);
        accumulated++;
        unfinished = held;
        unfinishedStaleness = stale;
        int ofTied = 0;
        if (tied.isPresent()) {
            tied.get().backward(held.batch().index());
            ofTied = tied.get().staleness(microBatch);
        }
        record(Activity.BACKWARD, held.batch().index(), version, predicted, Math.max(stale, ofTied), start);
        backwards++;
        return inputGradient;
    }

    private Optional<Frame> recomputed(InFlightMicroBatch microBatch, Optional<Frame> outputGradient) {
        try (WeightVersions.Lease present = weights.lease()) {
            WeightVersions.Lease used = usesStashInBackward() ? Objects.requireNonNull(microBatch.weights()) : present;
            try (StageActivation again =
                    network.recompute(used.slot(), microBatch.batch(), Objects.requireNonNull(microBatch.input()))) {
                return backward(again, outputGradient);
            }
        }
    }

    /** Whether the stashed weights are in the Jacobian, and do not only measure the gap. */
    private boolean usesStashInBackward() {
        boolean isForLossOnly = combination
                .gapPenaltyAt(place())
                .filter(GapPenalty::onlyForLoss)
                .isPresent();
        return combination.stash() && !isForLossOnly;
    }

    private Optional<Frame> backward(StageActivation activation, Optional<Frame> outputGradient) {
        if (network.isLast()) {
            return network.backwardFromLoss(
                    activation, 1f / combination.schedule().stepEvery());
        }
        return network.backward(activation, outputGradient.orElseThrow());
    }

    /**
     * Finishes the micro-batch of the last backward pass: takes a step if one is due, and frees what the micro-batch held.
     * Called after its frame was sent, so that the previous stage does not wait for the step.
     *
     * @throws IOException if another stage failed while the norm was added up
     */
    public void finishMicroBatch() throws IOException, InterruptedException {
        InFlightMicroBatch microBatch = unfinished;
        if (microBatch == null) {
            throw new IllegalStateException("no micro-batch went backward since the last one was finished");
        }
        unfinished = null;
        int last = backwards - 1;
        inFlight.remove(order.backward(last));
        if (!stepRule().stepsAfter(last)) {
            microBatch.close();
            return;
        }
        long start = clock.getAsLong();
        try (microBatch) {
            WeightVersions.Lease used = microBatch.weights();
            double rateFactor = stepRule().rateFactor(last);
            optimizer.step(network, unfinishedStaleness, used == null ? null : used.slot(), rateFactor);
        }
        // Only now: this micro-batch must no longer hold the old version.
        weights.advance();
        accumulated = 0;
        steps++;
        record(Activity.STEP, microBatch.batch().index(), weights.version(), 0, 0, start);
    }

    private StepRule stepRule() {
        return new StepRule(combination.schedule().stepEvery(), order.microBatches());
    }

    private void record(Activity activity, long microBatch, long version, int predicted, int stale, long start) {
        spans.add(new Span(place().stage(), activity, microBatch, version, predicted, stale, start, clock.getAsLong()));
    }

    /**
     * Ends the window.
     *
     * @return its figures
     * @throws IllegalStateException if it is not finished
     */
    public StageFigures flush() {
        requireFlushed();
        double meanLoss = network.isLast() ? losses / backwards : Double.NaN;
        return new StageFigures(
                place().stage(),
                backwards,
                steps,
                mostInFlight,
                weights.takeMostVersions(),
                weights.takeMostCopies(),
                meanLoss,
                network.isLast() ? (double) correct / labels : Double.NaN);
    }

    private void requireFlushed() {
        if (backwards < order.microBatches() || !inFlight.isEmpty() || weights.copies() > 1) {
            throw new IllegalStateException(
                    "stage %d is not flushed: %d of %d micro-batches went backward, %s are under way, with %d copies of the weights"
                            .formatted(
                                    place().stage(),
                                    backwards,
                                    order.microBatches(),
                                    inFlight.keySet(),
                                    weights.copies()));
        }
    }

    /** Returns what the stage did since the window began, in the order of time. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /**
     * Returns the complete state at a flush. Its arrays are the stage's own: copy them to keep them
     * beyond the next window.
     *
     * @throws IllegalStateException if the window is not flushed
     */
    public StageState state() {
        requireFlushed();
        float[] ofNetwork = new float[network.stateCount()];
        network.readState(ofNetwork);
        return new StageState(optimizer.steps(), optimizer.parameters(), ofNetwork, optimizer.state());
    }

    /**
     * Restores a state of the same stage with the same settings: the same micro-batches then give the same bits.
     *
     * @throws IllegalStateException    if the window is not flushed
     * @throws IllegalArgumentException if the state is not one of this stage
     */
    public void restore(StageState state) {
        requireFlushed();
        optimizer.restore(state);
        network.writeState(state.state());
        weights.restore(state.steps());
    }

    /** Frees everything, including micro-batches in flight. */
    @Override
    public void close() {
        inFlight.values().forEach(InFlightMicroBatch::close);
        inFlight.clear();
        weights.close();
        network.close();
    }
}
