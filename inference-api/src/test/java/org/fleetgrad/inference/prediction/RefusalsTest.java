package org.fleetgrad.inference.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.following.Follower;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.serving.FakeClassifier;
import org.fleetgrad.serving.FakeClassifiers;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;

public class RefusalsTest {

    private final LiveModel model = new LiveModel(
            new FakeClassifiers(new ImageShape(1, 1, 1)),
            network -> new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of()),
            FakeClassifiers.IMAGE_BYTES,
            2,
            VersionPolicy.valueOf("pinned:7"),
            new HeldOutScores());
    private final Refusals refusals =
            new Refusals(new Follower(new Nowhere(), pulled -> {}, new HeldOutScores(), Duration.ZERO), model);

    @Test
    void shouldAnswerAFullQueueWithTheNumbers() {
        RequestRefused refused = refusals.refused(new PredictionOutcome.Full(1000, 1024, 3_136_000, 67_108_864));

        assertThat(refused.kind().status()).isEqualTo(503);
        assertThat(refused.kind().rule()).isEqualTo(ProblemKind.BUSY.rule());
        assertThat(refused)
                .hasMessage(
                        "1000 images of 3136000 bytes wait for an answer; at most 1024 images and 67108864 bytes may wait");
    }

    @Test
    void shouldSayWhichVersionThePolicyWaitsFor() {
        ParameterVersion version = new ParameterVersion("g", 1);
        model.swapTo(version, FakeClassifier.parameters(version, Map.of()));

        assertThat(refusals.refused(model.refusal(WantedVersion.BY_POLICY)))
                .hasMessage("the policy pinned:7 waits for its version; held are [g-1]");
        assertThat(refusals.refused(model.refusal(WantedVersion.parse("8")))
                        .kind()
                        .rule())
                .isEqualTo(ProblemKind.VERSION_NOT_HELD.rule());
    }

    /** A parameter server that is unreachable. */
    /** No parameter server. */
    public static final class Nowhere implements Follower.Source {
        @Override
        public PullResult pull(Optional<ParameterVersion> known, Duration wait) throws IOException {
            throw new IOException("away");
        }

        @Override
        public VersionReply version() throws IOException {
            throw new IOException("away");
        }
    }
}
