package org.fleetgrad.following;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.following.Follower.FollowState.Kind;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the parameter server, round by round: waits for a version other than the known one, passes it on, and returns
 * the pause before the next round. Versions that appear and disappear within a pause are never seen. One thread runs
 * the rounds; other threads may read the state.
 */
public final class Follower {

    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(10);
    private static final Duration EMPTY_PAUSE = Duration.ofMillis(250);
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(2);

    private final Source source;
    private final Consumer<Pulled> target;
    private final HeldOutScores scores;
    private final Duration interval;
    private Optional<ParameterVersion> known = Optional.empty();
    private final Backoff backoff = new Backoff(INITIAL_BACKOFF, MAX_BACKOFF, 2);
    private FollowState afterPull = new FollowState(Kind.STARTING, "no request to the parameter server yet");
    private volatile FollowState state = afterPull;

    /**
     * Makes a follower.
     *
     * @param source   the parameter server
     * @param target   receives each version; throws {@link IllegalArgumentException} if the version does not fit
     * @param scores   receives the held-out score that the parameter server reports
     * @param interval shortest time between two versions
     */
    public Follower(Source source, Consumer<Pulled> target, HeldOutScores scores, Duration interval) {
        this.source = source;
        this.target = target;
        this.scores = scores;
        this.interval = interval;
    }

    /** Returns what the last round found. */
    public FollowState state() {
        return state;
    }

    /** Waits for a new version, or for a response that there is none, and returns the pause before the next round. */
    public Duration round() {
        try {
            PullResult result = source.pull(known, LONG_POLL);
            backoff.reset();
            if (result instanceof PullResult.NotInitialized) {
                enter(new FollowState(Kind.EMPTY, "the parameter server has no parameter set yet"));
                return EMPTY_PAUSE;
            }
            if (result instanceof Pulled pulled) {
                afterPull = take(pulled);
            }
            enter(afterPull);
            source.version().scored().ifPresent(scores::record);
            return interval;
        } catch (ProblemException | SSLPeerUnverifiedException refused) {
            enter(new FollowState(Kind.UNREACHABLE, "the parameter server cannot be used: " + refused.getMessage()));
            return backoff.next();
        } catch (IOException unreachable) {
            enter(new FollowState(
                    Kind.UNREACHABLE, "the parameter server cannot be reached: " + unreachable.getMessage()));
            return backoff.next();
        }
    }

    private FollowState take(Pulled pulled) {
        // Marked as known even if it does not fit: only another version can.
        known = Optional.of(pulled.version());
        try {
            target.accept(pulled);
            return new FollowState(Kind.FOLLOWING, "new versions arrive from the parameter server");
        } catch (IllegalArgumentException unfit) {
            return new FollowState(
                    Kind.INCOMPATIBLE,
                    "the parameter set %s does not fit: %s".formatted(pulled.version(), unfit.getMessage()));
        }
    }

    private void enter(FollowState next) {
        if (state.kind() != next.kind()) {
            LOG.info("{}", next.detail());
        }
        state = next;
    }

    /** A parameter server, as a follower asks it. */
    public interface Source {

        /** Pulls the newest parameter set, waiting up to {@code wait} for one that is not {@code known}. */
        PullResult pull(Optional<ParameterVersion> known, Duration wait) throws IOException;

        /** Requests the numbers of the newest version. */
        VersionReply version() throws IOException;

        /**
         * Closes its connections, and waits for no call that is under way: that closes its own when it ends. A later call opens
         * another. Whoever follows calls it after the last round, or a program that follows again and again has ever more of them.
         */
        default void close() {}
    }

    /** The state of following the parameter server; the detail says it as text. */
    public record FollowState(Kind kind, String detail) {

        /** The kinds of states. */
        public enum Kind {
            /** No request was made yet. */
            STARTING,
            /** New versions arrive. */
            FOLLOWING,
            /** The parameter server has no parameter set. */
            EMPTY,
            /** The parameter server has a parameter set of another network. */
            INCOMPATIBLE,
            /** The parameter server is unreachable, or sends invalid responses. */
            UNREACHABLE
        }
    }
}
