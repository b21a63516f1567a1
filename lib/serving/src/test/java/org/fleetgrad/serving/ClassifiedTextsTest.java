package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.PredictionOutcome.OtherForm;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A BERT answers texts with classes, whichever token fills them up. */
class ClassifiedTextsTest {

    private static NetworkDefinition definition(int padding) {
        return Networks.named(
                "bert?classes=2&context=4&dropout=0.1&heads=2&layers=1&padding=%d&positions=4&vocabulary=4&width=8"
                        .formatted(padding));
    }

    private static TensorSet parameters(NetworkDefinition definition, String tokenizer) {
        return TensorSet.ofFloats(
                definition.spec().layout(),
                definition.initialParameters(5),
                Map.of(
                        MetadataKeys.NETWORK,
                        definition.spec().name(),
                        MetadataKeys.TOKENIZER,
                        tokenizer,
                        MetadataKeys.CLASSES,
                        "[\"bad\",\"good\"]"));
    }

    private static LiveModel model() {
        return new LiveModel(
                new NetworkClassifiers(Device.CPU),
                network -> ModelDescription.NONE,
                1 << 20,
                2,
                VersionPolicy.valueOf("latest"),
                new HeldOutScores());
    }

    private static Images read(LiveModel model, String body) {
        return model.form(WantedVersion.BY_POLICY)
                .orElseThrow()
                .read(body.getBytes(StandardCharsets.UTF_8), 5, new SampleMemory(1 << 20).lease());
    }

    /** The same numbers mean other letters. */
    @Test
    void shouldNotAnswerTextsOfAnotherTokenizer() {
        NetworkDefinition definition = definition(0);
        LiveModel model = model();
        model.swapTo(new ParameterVersion("g", 1), parameters(definition, "characters:_ab"));
        Images texts = read(model, "{\"text\":\"b\"}");
        model.swapTo(new ParameterVersion("h", 1), parameters(definition, "characters:_bc"));

        assertThat(model.predict(WantedVersion.BY_POLICY, texts)).isInstanceOf(OtherForm.class);
        assertThat(model.predict(WantedVersion.parse("g-1"), texts)).isInstanceOf(PredictionResult.class);
        assertThat(model.predict(WantedVersion.BY_POLICY, read(model, "{\"text\":\"b\"}")))
                .isInstanceOf(PredictionResult.class);
        assertThat(read(model, "{\"text\":\"b\"}").isLike(texts)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shouldAnswerWithTheClassesOfTheDataset(int padding) {
        NetworkDefinition definition = definition(padding);
        TensorSet parameters = parameters(definition, "characters:_ab");
        LiveModel model = model();
        model.swapTo(new ParameterVersion("g", 1), parameters);

        Images texts = read(model, "{\"texts\":[\"ab\",\"b\"]}");
        PredictionResult result = (PredictionResult)
                model.predict(WantedVersion.BY_POLICY, List.of(texts)).get(0);

        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(parameters);
            assertThat(result.logits()).containsExactly(network.logits(texts.pixels(), 2));
        }
        assertThat(texts.pixels()).containsExactly(1, 2, padding, padding, 2, padding, padding, padding);
        assertThat(result.scores())
                .hasSize(2)
                .allMatch(scores -> List.of("bad", "good").contains(scores.label()));
    }
}
