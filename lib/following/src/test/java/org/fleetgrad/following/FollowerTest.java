package org.fleetgrad.following;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.following.Follower.FollowState;
import org.fleetgrad.following.Follower.FollowState.Kind;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.serving.FakeClassifier;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.junit.jupiter.api.Test;

class FollowerTest {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final ScriptedSource source = new ScriptedSource();
    private final List<ParameterVersion> taken = new ArrayList<>();
    private final HeldOutScores scores = new HeldOutScores();
    private final Follower follower = new Follower(source, this::take, scores, INTERVAL);
    private boolean isUnfit;

    @Test
    void shouldHandOnEachVersionAndAskForOtherThanIt() {
        source.answers.add(pulled("g", 3));
        source.answers.add(pulled("g", 9));

        assertThat(follower.round()).isEqualTo(INTERVAL);
        assertThat(follower.round()).isEqualTo(INTERVAL);

        assertThat(taken).containsExactly(new ParameterVersion("g", 3), new ParameterVersion("g", 9));
        assertThat(source.known).containsExactly(Optional.empty(), Optional.of(new ParameterVersion("g", 3)));
        assertThat(follower.state().kind()).isEqualTo(Kind.FOLLOWING);
    }

    @Test
    void shouldFollowIntoNewGenerationWithSmallerVersion() {
        source.answers.add(pulled("g", 9));
        source.answers.add(pulled("h", 0));

        follower.round();
        follower.round();

        assertThat(taken).containsExactly(new ParameterVersion("g", 9), new ParameterVersion("h", 0));
    }

    @Test
    void shouldWaitForParameterSetWhenServerHasNone() {
        source.answers.add(new PullResult.NotInitialized());

        assertThat(follower.round()).isEqualTo(Duration.ofMillis(250));
        assertThat(follower.state())
                .isEqualTo(new FollowState(Kind.EMPTY, "the parameter server has no parameter set yet"));
    }

    @Test
    void shouldBackOffWhileServerIsAwayAndRecover() {
        source.answers.add(pulled("g", 1));
        follower.round();

        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            source.answers.add(new IOException("connection refused"));
            pauses.add(follower.round().toMillis());
        }

        assertThat(pauses).containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
        assertThat(follower.state())
                .isEqualTo(new FollowState(
                        Kind.UNREACHABLE, "the parameter server cannot be reached: connection refused"));

        source.answers.add(new PullResult.NotModified());
        assertThat(follower.round()).isEqualTo(INTERVAL);
        assertThat(follower.state().kind()).isEqualTo(Kind.FOLLOWING);
        source.answers.add(new IOException("again"));
        assertThat(follower.round()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void shouldNotAskAgainForVersionThatDoesNotFit() {
        isUnfit = true;
        source.answers.add(pulled("g", 1));
        source.answers.add(new PullResult.NotModified());

        follower.round();
        follower.round();

        assertThat(follower.state())
                .isEqualTo(new FollowState(Kind.INCOMPATIBLE, "the parameter set g-1 does not fit: 12 values"));
        assertThat(source.known).last().isEqualTo(Optional.of(new ParameterVersion("g", 1)));

        isUnfit = false;
        source.answers.add(pulled("g", 2));
        follower.round();
        assertThat(follower.state().kind()).isEqualTo(Kind.FOLLOWING);
    }

    @Test
    void shouldLearnTheAccuracyThatTheServerKnows() {
        source.answers.add(pulled("g", 5));
        source.version = new VersionReply(200, 5, 0.75, null, null, 4L, "g", true);

        follower.round();

        assertThat(scores.newest("g"))
                .contains(new ScoredVersion(new ParameterVersion("g", 4), HeldOutScore.ofAccuracy(0.75)));
    }

    private void take(Pulled pulled) {
        if (isUnfit) {
            throw new IllegalArgumentException("12 values");
        }
        taken.add(pulled.version());
    }

    private static Pulled pulled(String generation, long number) {
        ParameterVersion version = new ParameterVersion(generation, number);
        return new Pulled(version, FakeClassifier.parameters(version, Map.of()));
    }

    private static final class ScriptedSource implements Follower.Source {

        /** Results to return, or exceptions to throw. */
        private final Deque<Object> answers = new ArrayDeque<>();

        private final List<Optional<ParameterVersion>> known = new ArrayList<>();
        private VersionReply version = new VersionReply(200, 0, null, null, null, null, "g", true);

        @Override
        public PullResult pull(Optional<ParameterVersion> has, Duration wait) throws IOException {
            known.add(has);
            Object answer = answers.remove();
            if (answer instanceof IOException failure) {
                throw failure;
            }
            return (PullResult) answer;
        }

        @Override
        public VersionReply version() {
            return version;
        }
    }
}
