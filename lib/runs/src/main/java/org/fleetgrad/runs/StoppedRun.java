package org.fleetgrad.runs;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunResult;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.watch.EndReason;
import org.fleetgrad.runs.watch.TrainingWatch;

/**
 * What a run leaves that is stopped, with Ctrl-C or SIGTERM, before it has written its result: the best evaluated version as its
 * model, and a report. While the process ends no server answers any more, so it takes what the server has kept on disk.
 */
final class StoppedRun implements AutoCloseable {

    private final ProcessGroup programs;
    private final RunReport report;
    private final TrainingWatch training;
    private final RunOutput output;
    private final Thread hook = new Thread(this::leave, "leave-model");
    private volatile boolean isWritten;

    private StoppedRun(ProcessGroup programs, RunReport report, TrainingWatch training, RunOutput output) {
        this.programs = programs;
        this.report = report;
        this.training = training;
        this.output = output;
    }

    /** Waits for the end of the process, until it is closed. */
    static StoppedRun expect(ProcessGroup programs, RunReport report, TrainingWatch training, RunOutput output) {
        StoppedRun stopped = new StoppedRun(programs, report, training, output);
        Runtime.getRuntime().addShutdownHook(stopped.hook);
        return stopped;
    }

    /** The run has written its result itself. */
    void written() {
        isWritten = true;
    }

    private void leave() {
        // The server takes its last checkpoint, and an evaluator may be sending the best version.
        programs.close();
        try {
            if (isWritten) {
                output.farewell("stopped; what was trained since the report: " + export());
            } else {
                leaveModel();
            }
        } catch (IOException | RuntimeException failed) {
            output.farewell("stopped; the model could not be written: %s; %s".formatted(failed.getMessage(), export()));
        }
    }

    private void leaveModel() throws IOException {
        Optional<StatusReply> status = training.newest();
        Optional<StatusReply> seen = status.flatMap(
                any -> training.course(any, EndReason.STOPPED).progress().best());
        Optional<ChosenModel> kept = ChosenModel.kept(report.folder(), seen);
        if (status.isEmpty() || kept.isEmpty()) {
            output.farewell("stopped before a version was evaluated; its newest checkpoint: " + export());
            return;
        }
        RunResult result = report.write(
                kept.get(), status.get(), training.course(status.get(), EndReason.STOPPED), Optional.empty());
        output.farewell("stopped: %s of version %,d, the best evaluated one; the model is %s, the report %s"
                .formatted(Figures.quality(result), result.version(), result.modelPath(), result.pagePath()));
        output.farewell("its newest checkpoint: %s; go on: fleetgrad train --resume %s, with the options of this run"
                .formatted(export(), report.folder()));
    }

    private String export() {
        return "fleetgrad model export --checkpoints %s --out last.safetensors".formatted(report.folder());
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
