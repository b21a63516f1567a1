package org.fleetgrad.worker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.files.NameLookups;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.worker.action.ActionContainer;
import org.fleetgrad.worker.action.Utf8Streams;
import org.fleetgrad.worker.stage.BlockMeasurement;
import org.fleetgrad.worker.stage.StageProgram;
import org.fleetgrad.worker.standalone.StandaloneWorker;
import org.fleetgrad.worker.standalone.WorkerCommand;
import org.fleetgrad.worker.standalone.WorkerExit;

/** Starts the worker: as an action container, for OpenWhisk or {@code fleetgrad}, as a standalone worker, or as a stage. */
public final class WorkerAction {

    private WorkerAction() {}

    /**
     * Runs the command in the arguments. After a SIGTERM, the activation in progress pushes its last gradient and ends.
     */
    public static void main(String[] arguments) throws Exception {
        Utf8Streams.install();
        NameLookups.shortenCaching();
        Owner.follow(System.getenv());
        WorkerCommand command = WorkerCommand.of(List.of(arguments));
        if (command instanceof WorkerCommand.Serve) {
            ActionContainer.serve(System.getenv());
            return;
        }
        WorkerExit exit = run(command);
        // After a SIGTERM the JVM exits by itself with the signal's code; an exit here would block.
        if (exit != WorkerExit.STOPPED) {
            System.exit(exit.code());
        }
    }

    private static WorkerExit run(WorkerCommand command) throws InterruptedException {
        if (command instanceof WorkerCommand.Run run) {
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(run.settings());
            return StandaloneWorker.run(run.body(), environment);
        }
        if (command instanceof WorkerCommand.Stage stage) {
            return StageProgram.run(stage.words(), System.getenv(), System.err);
        }
        if (command instanceof WorkerCommand.Blocks blocks) {
            return BlockMeasurement.run(blocks.words(), System.out, System.err);
        }
        if (command instanceof WorkerCommand.Wrong wrong) {
            System.err.println(wrong.message());
            System.err.println("Try 'worker-action --help'.");
            return WorkerExit.USAGE;
        }
        System.out.print(WorkerCommand.USAGE);
        return WorkerExit.DONE;
    }
}
