package org.fleetgrad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.following.Follower;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class ModelFollowingTest {

    /** A server without parameters, or none. */
    private static final class Source implements Follower.Source {

        private final AtomicInteger pulls = new AtomicInteger();
        private volatile boolean isAway;

        @Override
        public PullResult pull(Optional<ParameterVersion> known, Duration wait) throws IOException {
            pulls.incrementAndGet();
            if (isAway) {
                throw new ConnectException("refused");
            }
            return new PullResult.NotInitialized();
        }

        @Override
        public VersionReply version() {
            throw new AssertionError("there is no version");
        }
    }

    private final Source source = new Source();

    private ModelFollowing following(Clock clock) {
        LiveModel model = new LiveModel(new NetworkClassifiers(Device.CPU), network -> ModelDescription.NONE, 1 << 20);
        return new ModelFollowing(source, model, new HeldOutScores(), Duration.ZERO, clock);
    }

    @Test
    void shouldCountFromTheFirstRoundWithoutTheServer() {
        ManualClock clock = new ManualClock();
        ModelFollowing following = following(clock);
        Duration unused = following.round();
        assertThat(following.unreachableFor()).isEmpty();

        source.isAway = true;
        for (int round = 0; round < 3; round++) {
            unused = following.round();
            clock.advance(Duration.ofSeconds(10));
        }
        assertThat(following.unreachableFor()).contains(Duration.ofSeconds(30));

        source.isAway = false;
        unused = following.round();
        assertThat(following.unreachableFor()).isEmpty();
    }

    @Test
    void shouldFollowAgainAfterAStop() {
        ModelFollowing following = following(Clock.systemUTC());
        following.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> source.pulls.get() > 0);
        following.stop();
        assertThat(following.isRunning()).isFalse();

        int before = source.pulls.get();
        following.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> source.pulls.get() > before + 1);
        following.stop();
    }
}
