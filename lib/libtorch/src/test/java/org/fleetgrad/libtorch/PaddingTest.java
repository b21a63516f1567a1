package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fills a text up to the context of a BERT changes nothing. */
class PaddingTest {

    private static final String SMALL =
            "bert?classes=3&dropout=0&heads=2&layers=2&padding=%d&positions=16&vocabulary=20&width=16";
    private static final float[] TEXT = {3, 7, 1, 9, 4};

    private static NetworkDefinition network(int context, int padding) {
        return Networks.named(SMALL.formatted(padding) + "&context=" + context);
    }

    private static float[] filled(int context, int padding) {
        float[] sample = new float[context];
        Arrays.fill(sample, padding);
        System.arraycopy(TEXT, 0, sample, 0, TEXT.length);
        return sample;
    }

    /** As a sample of its own length, and filled up to another, a text has one class and one gradient. */
    @ParameterizedTest
    @ValueSource(ints = {0, 19})
    void shouldChangeNothing(int padding) {
        NetworkDefinition exact = network(TEXT.length, padding);
        NetworkDefinition longer = network(12, padding);
        float[] parameters = Formula.parameters(exact);
        try (Network alone = Libtorch.open(exact, Device.CPU);
                Network filled = Libtorch.open(longer, Device.CPU)) {
            TestBatch.load(alone, parameters);
            TestBatch.load(filled, parameters);

            assertThat(filled.logits(filled(12, padding), 1)).containsExactly(alone.logits(TEXT, 1), within(1e-5f));
            float loss = alone.accumulate(TEXT, new float[] {2}, 1);
            assertThat(filled.accumulate(filled(12, padding), new float[] {2}, 1))
                    .isCloseTo(loss, within(1e-5f));
            assertThat(TestBatch.drain(filled, 1)).containsExactly(TestBatch.drain(alone, 1), within(1e-4f));
        }
    }

    /** Dropout computes attention by other operators, which must leave out padding, too. */
    @Test
    void shouldChangeNothingWithDropout() {
        NetworkDefinition exact = Networks.named(network(12, 0).spec().name().replace("dropout=0", "dropout=0.5"));
        float[] parameters = Formula.parameters(exact);
        float[] other = parameters.clone();
        int word = exact.spec()
                .layout()
                .indexOf("bert.embeddings.word_embeddings.weight")
                .orElseThrow();
        int from = (int) (exact.spec().layout().byteOffset(word) / Float.BYTES);
        Arrays.fill(other, from, from + 16, 1);
        try (LibtorchNetwork network = Libtorch.instance(exact, Device.CPU)) {
            TestBatch.load(network, parameters);
            float[] logits = network.trainingLogits(filled(12, 0), 1, 5);
            TestBatch.load(network, other);

            assertThat(network.trainingLogits(filled(12, 0), 1, 5)).containsExactly(logits, within(1e-6f));
            assertThat(network.trainingLogits(filled(12, 0), 1, 6)).isNotEqualTo(logits);
        }
    }

    @Test
    void shouldRefuseATextThatIsNothingButPadding() {
        try (Network network = Libtorch.open(network(12, 0), Device.CPU)) {
            float[] two = Arrays.copyOf(filled(12, 0), 24);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.logits(two, 2))
                    .withMessage("sample 1 of a batch begins with padding, the token 0");
            two[12] = 20;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.logits(two, 2))
                    .withMessageContaining(
                            "token 12 of a batch is 20.0; the network's vocabulary has the tokens 0 to 19");
        }
    }
}
