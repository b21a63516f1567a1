package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.pipeline.channel.FrameLink;
import org.fleetgrad.pipeline.channel.FrameQueue;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.training.StageLoop.StageLinks;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.jspecify.annotations.Nullable;

/**
 * All stages of a pipeline in one process, each in its own thread, connected by bounded queues.
 *
 * <p>Training is bit-identical whatever the timing of the threads: a stage computes in the order of its schedule, whenever
 * its frames arrive. Used by one thread at a time; between windows the stages may be read.
 */
public final class ThreadedPipeline implements AutoCloseable {

    private final List<Stage> stages;
    private final NormSum norm;

    /**
     * Makes a pipeline of these stages, in their order.
     *
     * @param norm that the stages were made with
     * @throws IllegalArgumentException if they are not all stages of one pipeline
     */
    public ThreadedPipeline(List<Stage> stages, NormSum norm) {
        for (int i = 0; i < stages.size(); i++) {
            if (stages.get(i).place().stage() != i || stages.get(i).place().stages() != stages.size()) {
                throw new IllegalArgumentException("place %d of %d in the pipeline has stage %d of %d"
                        .formatted(
                                i,
                                stages.size(),
                                stages.get(i).place().stage(),
                                stages.get(i).place().stages()));
            }
        }
        this.stages = List.copyOf(stages);
        this.norm = norm;
    }

    /** Returns the stages, the first one first. */
    public List<Stage> stages() {
        return stages;
    }

    /**
     * Trains on a window, to its flush.
     *
     * @throws StageFailedException if a stage failed; all have stopped, and only {@link #close} may be called
     * @throws InterruptedException if this thread was interrupted; all stages have stopped likewise
     */
    public WindowReport train(MicroBatches window) throws StageFailedException, InterruptedException {
        List<StageLinks> links = connect();
        Map<Integer, StageFigures> figures = new ConcurrentSkipListMap<>();
        AtomicReference<@Nullable StageFailedException> first = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            int stage = i;
            threads.add(new Thread(
                    () -> run(stage, links.get(stage), window, first).ifPresent(own -> figures.put(stage, own)),
                    "stage-" + stage));
        }
        threads.forEach(Thread::start);
        join(threads, links);
        StageFailedException failure = first.get();
        if (failure != null) {
            throw failure;
        }
        List<Span> spans =
                stages.stream().flatMap(stage -> stage.spans().stream()).toList();
        return new WindowReport(List.copyOf(figures.values()), new Timeline(stages.size(), spans));
    }

    private Optional<StageFigures> run(
            int stage, StageLinks links, MicroBatches window, AtomicReference<@Nullable StageFailedException> first) {
        try {
            Cores.shareAmong(stages.size());
            return Optional.of(new StageLoop(stages.get(stage), links).run(window));
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            // A neighbour's failure is a consequence, and may be seen before its cause is recorded.
            if (!(failure instanceof NeighbourFailedException)) {
                first.compareAndSet(null, new StageFailedException(stage, failure));
            }
            norm.fail(failure);
            return Optional.empty();
        }
    }

    /** Waits for all threads in any case: no stage may be running when this returns. */
    private void join(List<Thread> threads, List<StageLinks> links) throws InterruptedException {
        InterruptedException interruption = null;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException interrupted) {
                    interruption = interrupted;
                    InterruptedException cause = interrupted;
                    links.forEach(ends -> ends.fail(cause));
                    norm.fail(cause);
                }
            }
        }
        if (interruption != null) {
            throw interruption;
        }
    }

    private List<StageLinks> connect() {
        List<StageLinks> links = new ArrayList<>();
        Optional<FrameLink> before = Optional.empty();
        int last = stages.size() - 1;
        FrameQueue.Link tied = FrameQueue.Link.tied(last, stages.get(0).tiedFrames());
        for (int i = 0; i < last; i++) {
            FrameQueue.Link after = FrameQueue.Link.after(i, stages.size() - i);
            links.add(new StageLinks(before, Optional.of(after), i == 0 ? Optional.of(tied) : Optional.empty()));
            before = Optional.of(after.otherEnd());
        }
        links.add(new StageLinks(before, Optional.empty(), Optional.of(tied.otherEnd())));
        return links;
    }

    /** Frees all stages. */
    @Override
    public void close() {
        stages.forEach(Stage::close);
    }

    /** A stage failed, and with it the window; the cause says why. The last published flush is still valid. */
    public static final class StageFailedException extends Exception {

        private static final long serialVersionUID = 1;

        private final int stage;

        StageFailedException(int stage, Throwable cause) {
            super("stage %d failed: %s".formatted(stage, cause), cause);
            this.stage = stage;
        }

        /** Returns the stage that failed first. */
        public int stage() {
            return stage;
        }
    }
}
