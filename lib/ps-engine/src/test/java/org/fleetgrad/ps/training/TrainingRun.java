package org.fleetgrad.ps.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.testing.ManualClock;

/**
 * A run of plain SGD without Spring and HTTP, on a manual clock. Its one tensor is {@code w}; with the learning rate
 * {@value #LEARNING_RATE} and gradients of small whole numbers, every sum is exact in float32.
 */
public final class TrainingRun implements AutoCloseable {

    public static final String GENERATION = "g1";
    public static final float LEARNING_RATE = 0.5f;
    public static final float STATE_MOMENTUM = 0.25f;
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualClock clock;
    private final Leases leases;
    private final RunHistory course = new RunHistory();
    private final PublishedParameters published =
            new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(Long.MAX_VALUE, true));
    private final Training training;

    public TrainingRun(TrainingMode mode) {
        this(mode, 64, new Quiet());
    }

    public TrainingRun(TrainingMode mode, int queueCapacity, TrainingListener listener) {
        this(plain(mode, queueCapacity), listener, TrainingStore.NONE, new ManualClock());
    }

    /** A run under other settings, which may be persisted. Its histories are {@code g1}, {@code g2} and so on. */
    public TrainingRun(TrainingSettings settings, TrainingListener listener, TrainingStore store, ManualClock clock) {
        this(settings, listener, store, clock, histories(), Origin.Beginning.Empty::new);
    }

    /** A run whose caller supplies the ids of its histories, and may supply its origin. */
    public TrainingRun(
            TrainingSettings settings,
            TrainingListener listener,
            TrainingStore store,
            ManualClock clock,
            Supplier<String> generations,
            Origin origin) {
        this(settings, listener, store, clock, generations, origin, ApplierThread.Idle.PARKED);
    }

    /** A run whose caller supplies how the applier waits for work. */
    TrainingRun(TrainingSettings settings, TrainingListener listener, TrainingStore store, ApplierThread.Idle idle) {
        this(settings, listener, store, new ManualClock(), histories(), Origin.Beginning.Empty::new, idle);
    }

    private TrainingRun(
            TrainingSettings settings,
            TrainingListener listener,
            TrainingStore store,
            ManualClock clock,
            Supplier<String> generations,
            Origin origin,
            ApplierThread.Idle idle) {
        this.clock = clock;
        this.leases = new Leases(clock, LEASE, 100, () -> "drawn");
        this.training = new Training(
                settings, generations, published, leases, course, listener, store, origin, new ApplierThread(idle));
        this.training.recovered().join();
    }

    /** Returns the time series of the run. */
    public RunHistory course() {
        return course;
    }

    /** Draws {@code g1}, {@code g2} and so on. */
    public static Supplier<String> histories() {
        AtomicInteger drawn = new AtomicInteger();
        return () -> "g" + drawn.incrementAndGet();
    }

    /** Settings of plain SGD. */
    public static TrainingSettings plain(TrainingMode mode, int queueCapacity) {
        return new TrainingSettings(
                mode,
                new SgdSettings(0, 0, false, 0),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(LEARNING_RATE),
                TrainingSettings.DecayScope.EVERYTHING,
                queueCapacity,
                0);
    }

    /** Ignores all notifications. */
    public static class Quiet implements TrainingListener {
        @Override
        public void parametersPut(ParameterVersion version, int tensors, ValueCount values) {}

        @Override
        public void recovered(ParameterVersion version, ValueCount values, long samples) {}

        @Override
        public void notJournaled(IOException failure) {}

        @Override
        public void pushed(PushOutcome outcome) {}

        @Override
        public void stepped(ParameterVersion version, int gradients, long staleness) {}
    }

    public Training training() {
        return training;
    }

    public PublishedParameters published() {
        return published;
    }

    public ManualClock clock() {
        return clock;
    }

    public Leases leases() {
        return leases;
    }

    /** Begins the history with these values of {@code w}. */
    public TrainingRun startingAt(float... values) {
        training.put(parameters(values), Precondition.ABSENT).join();
        return this;
    }

    /** Begins the history with a value of the network's state, {@code s}, before the values of {@code w}. */
    public TrainingRun startingWithState(float state, float... values) {
        float[] all = new float[values.length + 1];
        all[0] = state;
        System.arraycopy(values, 0, all, 1, values.length);
        TensorLayout layout =
                TensorLayout.canonical(List.of(TensorSpec.f32("s", 1), TensorSpec.f32("w", values.length)));
        Map<String, String> metadata = Map.of(
                ParameterState.KEY,
                ParameterState.of(List.of("s"), STATE_MOMENTUM).text());
        training.put(new InitialParameters(layout, all, metadata), Precondition.ABSENT)
                .join();
        return this;
    }

    /** Settings whose runs of {@link #startingFrozen} freeze all tensors but {@code s} and {@code w}. */
    public static TrainingSettings frozen(TrainingSettings like) {
        return frozen(like, "a*,z*");
    }

    /** The same settings with other frozen tensors. */
    public static TrainingSettings frozen(TrainingSettings like, String patterns) {
        return new TrainingSettings(
                like.mode(),
                like.optimizer(),
                like.rule(),
                like.history(),
                like.schedule(),
                like.decay(),
                like.queueCapacity(),
                like.largestNorm(),
                FreezePatterns.parse(patterns),
                like.rates());
    }

    /** Begins like {@link #startingWithState}, with tensors before, between and after these two: 7 and 8 in each. */
    public TrainingRun startingFrozen(float state, float... values) {
        training.put(frozenSet(7, state, values), Precondition.ABSENT).join();
        return this;
    }

    /** The parameter set of {@link #startingFrozen}; {@code first} is the first value of the first frozen tensor. */
    public static InitialParameters frozenSet(float first, float state, float... values) {
        float[] all = new float[values.length + 7];
        System.arraycopy(new float[] {first, 8, 7, 8, state}, 0, all, 0, 5);
        System.arraycopy(values, 0, all, 5, values.length);
        System.arraycopy(new float[] {7, 8}, 0, all, 5 + values.length, 2);
        TensorLayout layout = TensorLayout.canonical(List.of(
                TensorSpec.f32("a.bias", 2),
                TensorSpec.f32("a.weight", 2, 1),
                TensorSpec.f32("s", 1),
                TensorSpec.f32("w", values.length),
                TensorSpec.f32("z.bias", 2)));
        Map<String, String> metadata = Map.of(
                ParameterState.KEY,
                ParameterState.of(List.of("s"), STATE_MOMENTUM).text());
        return new InitialParameters(layout, all, metadata);
    }

    /** The trainable values, in the order of their layout. */
    public float[] trainable() {
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            return floats(
                    newest.file(new ParameterForm(Encodings.PLAIN, true)),
                    newest.trainable().elementCount());
        }
    }

    public TrainingRun withWorkers(String... workers) {
        for (String worker : workers) {
            leases.register(Optional.of(worker), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
        }
        return this;
    }

    /**
     * The outcome of a processed submission; fails the test if the applier was too busy, or the disk did not confirm
     * it.
     */
    public static <T> T outcome(SubmissionResult<T> answer) {
        if (answer instanceof SubmissionResult.Done<T> done) {
            return done.outcome();
        }
        throw new AssertionError("not done: " + answer);
    }

    public PutOutcome put(Precondition precondition, float... values) {
        return outcome(submitPut(precondition, values).join());
    }

    /** Overwrites the newest set with one that states its training progress. */
    public SubmissionResult<PutOutcome> putStating(ReportedProgress progress, float... values) {
        InitialParameters given = parameters(values);
        return training.put(
                        new InitialParameters(given.layout(), given.values(), given.metadata(), Optional.of(progress)),
                        Precondition.PRESENT)
                .join();
    }

    public CompletableFuture<SubmissionResult<PutOutcome>> submitPut(Precondition precondition, float... values) {
        return training.put(parameters(values), precondition);
    }

    public SubmissionResult<RollbackOutcome> rollBack(long checkpoint) {
        return training.rollBack(checkpoint).join();
    }

    public PushOutcome push(String worker, long sequence, long baseVersion, float... gradient) {
        return push(metadata(worker, sequence, GENERATION, baseVersion, 1), gradient);
    }

    public PushOutcome push(GradientMetadata metadata, float... gradient) {
        return send(metadata, gradient).join();
    }

    public CompletableFuture<PushOutcome> send(GradientMetadata metadata, float... gradient) {
        return submit(metadata, gradient).thenApply(TrainingRun::outcome);
    }

    public CompletableFuture<SubmissionResult<PushOutcome>> submit(GradientMetadata metadata, float... gradient) {
        return training.enqueue(new Gradient(metadata, gradient.clone()));
    }

    /** The answer to a push, which may be that it was not processed. */
    public SubmissionResult<PushOutcome> answer(String worker, long sequence, long baseVersion, float... gradient) {
        return submit(metadata(worker, sequence, GENERATION, baseVersion, 1), gradient)
                .join();
    }

    public PushOutcome pass(String worker, long version) {
        return outcome(
                training.pass(worker, new ParameterVersion(GENERATION, version)).join());
    }

    public static GradientMetadata metadata(
            String worker, long sequence, String generation, long baseVersion, long samples) {
        return new GradientMetadata(worker, sequence, generation, baseVersion, samples, 1.5);
    }

    /** Advances the clock and makes the applier check the members, as the ticker does. */
    public void advance(Duration by) {
        clock.advance(by);
        leases.expire();
        membershipChanged();
    }

    public void unregister(String worker) {
        leases.unregister(worker);
        membershipChanged();
    }

    private void membershipChanged() {
        training.membershipChanged();
        awaitIdle();
    }

    /** Returns when the applier has processed all earlier submissions. */
    public void awaitIdle() {
        training.put(parameters(0), Precondition.is("never")).join();
    }

    public long version() {
        return published.version().orElseThrow().version();
    }

    public float[] values() {
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            return floats(newest.file(ParameterForm.WHOLE), newest.layout().elementCount());
        }
    }

    private static float[] floats(ByteBuffer file, long count) {
        float[] values = new float[(int) count];
        file.position(file.limit() - Float.BYTES * values.length);
        file.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }

    public byte[] bytes() {
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            byte[] bytes = new byte[newest.file(ParameterForm.WHOLE).remaining()];
            newest.file(ParameterForm.WHOLE).get(bytes);
            return bytes;
        }
    }

    private static InitialParameters parameters(float... values) {
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", values.length)));
        return new InitialParameters(layout, values.clone(), Map.of());
    }

    @Override
    public void close() {
        training.close();
    }
}
