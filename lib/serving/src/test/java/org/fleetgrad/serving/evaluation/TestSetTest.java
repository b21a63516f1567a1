package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.serving.ServedNetwork;
import org.junit.jupiter.api.Test;

class TestSetTest {

    /** The same numbers mean other tokens. */
    @Test
    void shouldRefuseAModelOfOtherTokens() {
        TextSchema schema = new TextSchema(CharacterTokenizer.of("abc"), 2);
        TestSet text = new TestSet(TextSamples.heldOut(Tokens.of(0, 1, 2), 2), schema);
        ServedNetwork network = new ServedNetwork("n", schema.task(), 1);

        assertThat(text.reader(trainedOn("characters:abc"), network)).isNotNull();
        assertThatThrownBy(() -> text.reader(trainedOn("characters:bcd"), network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("they are other tokens");
    }

    private static TensorSet trainedOn(String tokenizer) {
        return TensorSet.ofFloats(
                TensorLayout.canonical(List.of(TensorSpec.f32("w", 1))), new float[1], Map.of("tokenizer", tokenizer));
    }

    @Test
    void shouldRejectShardOfAnotherNetwork() {
        TestSet testSet = TestSet.of(TinyShards.shard(2));

        assertThat(testSet.fits(network(1, 2, 2))).isTrue();
        assertThat(testSet.fits(network(1, 2, 4)))
                .as("more outputs than classes")
                .isTrue();
        assertThatThrownBy(() -> testSet.requireFor(network(28, 28, 10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network 'n' takes images of [1, 28, 28], the dataset has [1, 1, 2]");
        assertThatThrownBy(() -> testSet.requireFor(network(1, 2, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network 'n' has 1 classes, the dataset has 2");
    }

    /** An accuracy on samples that the network learned from would look better than it is. */
    @Test
    void shouldRefuseATrainingShard() {
        Shard learned = Shard.of(
                "tiny",
                Split.TRAIN,
                TinyShards.CLASSES,
                TinyShards.NORMALIZATION,
                new SampleRange(2, 4, 10),
                TinyShards.samples(4));

        assertThatThrownBy(() -> TestSet.of(learned))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the shard of tiny has 4 of the 10 training samples, from 2 on: an accuracy on them says nothing;"
                                + " name the test shard");
    }

    private static ServedNetwork network(int height, int width, int outputs) {
        return new ServedNetwork("n", new ImageClassification(List.of(1, height, width), outputs), 1);
    }
}
