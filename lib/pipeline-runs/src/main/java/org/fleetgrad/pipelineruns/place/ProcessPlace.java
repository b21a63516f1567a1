package org.fleetgrad.pipelineruns.place;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.pipelineruns.place.HostPlace.StageHost;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramProcess;
import org.fleetgrad.runs.start.Starting;

/** Programs of stages are processes of this machine, reachable only from it. */
public final class ProcessPlace implements HostPlace {

    private static final String LOOPBACK = "127.0.0.1";

    private final ProcessGroup programs;

    public ProcessPlace(ProcessGroup programs) {
        this.programs = programs;
    }

    @Override
    public String driverAddress() {
        return LOOPBACK;
    }

    @Override
    public StageHost start(StageProgramPlan plan) throws IOException {
        ProgramProcess process = programs.startReplaceable(
                Program.WORKER_ACTION, plan.name(), plan.environment(), plan.heapBytes(), plan.arguments(LOOPBACK));
        return new ProcessHost(plan.stages(), process);
    }

    @Override
    public String shard(Path file) {
        return file.toUri().toString();
    }

    @Override
    public String flush(Path path) {
        return path.toString();
    }

    @Override
    public void close() {
        // The programs end with their group.
    }

    private final class ProcessHost implements StageHost {

        private final List<Integer> stages;
        private final ProgramProcess process;

        ProcessHost(List<Integer> stages, ProgramProcess process) {
            this.stages = stages;
            this.process = process;
        }

        @Override
        public List<Integer> stages() {
            return stages;
        }

        @Override
        public Starting starting() {
            return process;
        }

        @Override
        public boolean hasEnded(Duration patience) throws InterruptedException {
            return process.hasEnded(patience);
        }

        @Override
        public String describeEnd() {
            return "exit code %d; its log is %s".formatted(process.exitCode(), process.log());
        }

        @Override
        public void end() {
            programs.end(process);
        }
    }
}
