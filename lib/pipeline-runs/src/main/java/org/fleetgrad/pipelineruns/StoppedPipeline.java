package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.ChosenModel;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.watch.EndReason;

/**
 * What a pipeline leaves that is stopped, with Ctrl-C or SIGTERM, before it has written its result: the best evaluated version as its model
 * or, if none was evaluated, the last flush. While the process ends no server answers any more, so it takes what is on disk.
 */
final class StoppedPipeline implements AutoCloseable {

    private final Runnable programs;
    private final Supplier<Optional<Trained>> training;
    private final Disk disk;
    private final PipelineReport report;
    private final RunOutput output;
    private final Thread hook = new Thread(this::leave, "leave-model");
    private volatile boolean isWritten;

    /** Reads what the run has on disk. */
    interface Disk {

        /** Returns the best evaluated version, if one was kept; {@code seen} are the server's figures of it. */
        Optional<ChosenModel> best(Optional<StatusReply> seen) throws IOException;

        /** Returns the complete network at a flush. */
        TensorSet at(FlushRecord flush) throws IOException;
    }

    private StoppedPipeline(
            Runnable programs,
            Supplier<Optional<Trained>> training,
            Disk disk,
            PipelineReport report,
            RunOutput output) {
        this.programs = programs;
        this.training = training;
        this.disk = disk;
        this.report = report;
        this.output = output;
    }

    /**
     * Waits for the end of the process, until it is closed.
     *
     * @param programs ends them
     * @param training ends it, and returns what it has trained
     */
    static StoppedPipeline expect(
            Runnable programs,
            Supplier<Optional<Trained>> training,
            Disk disk,
            PipelineReport report,
            RunOutput output) {
        StoppedPipeline stopped = new StoppedPipeline(programs, training, disk, report, output);
        Runtime.getRuntime().addShutdownHook(stopped.hook);
        return stopped;
    }

    /** The run has written its result itself. */
    void written() {
        isWritten = true;
    }

    /** Ends the programs, and writes the model if the run has not. */
    void leave() {
        // The server takes its last checkpoint, and an evaluator may be sending the best version.
        programs.run();
        if (isWritten) {
            return;
        }
        Optional<Trained> trained = training.get();
        if (trained.isEmpty()) {
            output.farewell("stopped before the first flush: there is nothing to go on from");
            return;
        }
        try {
            leaveModel(trained.get());
        } catch (IOException | RuntimeException failed) {
            output.farewell("stopped; the model could not be written: %s".formatted(failed.getMessage()));
        }
        output.farewell(
                "go on: fleetgrad pipeline --resume %s, with the options of this run".formatted(report.folder()));
    }

    private void leaveModel(Trained trained) throws IOException {
        Optional<ChosenModel> best = disk.best(trained.best());
        ChosenModel chosen = best.isPresent() ? best.get() : ofFlush(trained);
        PipelineResult result = report.write(chosen, trained, EndReason.STOPPED);
        output.farewell(String.format(
                Locale.ROOT,
                "stopped: %s; the model is %s, the result %s",
                best.isPresent()
                        ? "%s of version %,d, the best evaluated one"
                                .formatted(Figures.heldOut(report.task(), chosen.figures()), result.version())
                        : "flush %d, after %,d steps, which was not evaluated"
                                .formatted(result.flushes(), result.steps()),
                result.modelPath(),
                report.result()));
    }

    private ChosenModel ofFlush(Trained trained) throws IOException {
        return new ChosenModel(
                new Pulled(trained.version(), disk.at(trained.flush())),
                new HeldOutFigures(null, null, null, null, null, null, null),
                null);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook runs, and needs nothing of what is closed next but the programs, which it ends itself.
        }
    }
}
