package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a training server, as they appear: those that appear and disappear during an evaluation are never seen. They
 * end with the run: when its work is done and its last version was visited, or when the server stays unreachable. Confined to
 * one thread.
 */
public final class ServerVersions implements Versions {

    /** More work may be added after all of it is done: a run that missed its target does so. */
    static final Duration DONE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(100);

    private final Call<StatusReply> status;
    private final Call<PullResult> pull;
    private final Spacing spacing;
    private final Clock clock;
    private final Sleeper sleeper;
    private final Consumer<String> log;
    private boolean isFirst = true;
    private @Nullable Instant doneSince;

    /** A call of a parameter server, or of several of a run. */
    @FunctionalInterface
    public interface Call<T> {
        T answer() throws IOException;
    }

    /**
     * @param status of the run
     * @param pull   of the newest parameter set
     * @param every  minimum number of versions from one evaluation to the next
     * @param log receives a line about how the run ended
     */
    public ServerVersions(
            Call<StatusReply> status,
            Call<PullResult> pull,
            long every,
            Clock clock,
            Sleeper sleeper,
            Consumer<String> log) {
        this.status = status;
        this.pull = pull;
        this.spacing = new Spacing(every);
        this.clock = clock;
        this.sleeper = sleeper;
        this.log = log;
    }

    @Override
    public void each(Visitor visitor) throws IOException, InterruptedException {
        try {
            while (poll(visitor)) {
                sleeper.sleep(POLL);
            }
        } catch (ServerUnavailableException gone) {
            if (isFirst) {
                throw gone;
            }
            // fleetgrad train has ended, which stops its server.
            log.accept("the parameter server has ended: %s".formatted(gone.getMessage()));
        }
    }

    /** Polls once; returns whether to poll again. */
    private boolean poll(Visitor visitor) throws IOException, InterruptedException {
        StatusReply now = status.answer();
        if (!now.initialized()) {
            return true;
        }
        ParameterVersion newest = new ParameterVersion(now.generation(), now.version());
        boolean isOver = isOver(now);
        if (isOver && spacing.isLast(newest)) {
            log.accept("the work of the run is done");
            return false;
        }
        if (!isOver && (spacing.isLast(newest) || !spacing.isDue(newest))) {
            return true;
        }
        PullResult result = pull.answer();
        if (!(result instanceof Pulled pulled)) {
            return true;
        }
        // It may be a newer one by now.
        spacing.note(pulled.version());
        isFirst = false;
        return visitor.visit(new NamedVersion("", pulled.version(), pulled.parameters()));
    }

    private boolean isOver(StatusReply status) {
        if (status.work() == null || !status.work().done()) {
            doneSince = null;
            return false;
        }
        Instant now = clock.instant();
        if (doneSince == null) {
            doneSince = now;
        }
        return Duration.between(doneSince, now).compareTo(DONE_TIMEOUT) >= 0;
    }
}
