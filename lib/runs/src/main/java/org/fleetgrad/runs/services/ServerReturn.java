package org.fleetgrad.runs.services;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.runs.process.ProgramProcess;
import org.fleetgrad.runs.start.StartWait;
import org.fleetgrad.runs.start.StartWatch;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one call for restarted parameter servers. For a server that listens and does not respond, the start timeout is
 * the deadline: its training would look like progress of the start. Confined to one call.
 */
final class ServerReturn {

    private static final Duration POLL = Duration.ofMillis(50);

    private final ServerGroup servers;
    private final StartWatch watch;
    private @Nullable ProgramProcess awaited;
    private @Nullable StartWait wait;
    private long end;

    ServerReturn(ServerGroup servers, StartWatch watch) {
        this.servers = servers;
        this.watch = watch;
        this.end = deadline();
    }

    private long deadline() {
        return System.nanoTime() + watch.timeout().toNanos();
    }

    /**
     * Pauses until another try makes sense.
     *
     * @param away what the last try ended with; thrown if no more tries make sense
     */
    void pause(IOException away) throws IOException, InterruptedException {
        Optional<ProgramProcess> starting = servers.starting();
        if (starting.isPresent()) {
            ProgramProcess program = starting.get();
            StartWait begun = wait;
            if (begun == null || awaited != program) {
                begun = watch.begin(program, "listen again");
                wait = begun;
                awaited = program;
            }
            begun.pause();
            end = deadline();
            return;
        }
        if (System.nanoTime() > end) {
            throw away;
        }
        Thread.sleep(POLL.toMillis());
    }
}
