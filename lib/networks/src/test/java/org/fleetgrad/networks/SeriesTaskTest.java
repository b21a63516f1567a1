package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.block.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesTaskTest {

    private static final SeriesTask HEIGHTS = new SeriesTask(2, 50, new Regression(Loss.SQUARED));
    private static final SeriesTask WAVES = new SeriesTask(1, 3, new OneClass(2));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "series|series?hidden=64&input=2x50&kind=conv&layers=2&loss=squared",
                "series?kind=lstm&hidden=8&loss=huber|series?hidden=8&input=2x50&kind=lstm&layers=2&loss=huber"
            })
    void shouldTakeShapeAndQuestionFromTheDataset(String text, String complete) {
        NetworkSpec spec = Networks.named(text, HEIGHTS).spec();

        assertThat(spec.name()).isEqualTo(complete);
        assertThat(Networks.named(complete).spec()).isEqualTo(spec);
        assertThat(spec.inputShape()).containsExactly(2, 50);
        assertThat(spec.classes()).isEqualTo(1);
        assertThat(Networks.defaultFor(HEIGHTS)).isEqualTo("series");
    }

    @Test
    void shouldHaveBlocksOfWeightsAndHalveTheLengthWhileThereIsOne() {
        NetworkDefinition network = Networks.named("series?layers=4&hidden=8", WAVES);

        assertThat(network.blocks())
                .extracting(Block::name)
                .containsExactly("conv1", "conv2", "conv3", "conv4", "head");
        assertThat(network.blocks())
                .extracting(Block::output)
                .containsExactly(List.of(8, 1), List.of(8, 1), List.of(8, 1), List.of(8), List.of(2));
        assertThat(Networks.named("series?kind=lstm", WAVES).blocks())
                .extracting(Block::name)
                .containsExactly("lstm", "head");
    }

    @Test
    void shouldDrawPyTorchsInitialValues() {
        NetworkDefinition lstm = Networks.named("series?kind=lstm&hidden=16", HEIGHTS);
        NetworkDefinition conv = Networks.named("series", HEIGHTS);

        assertBound(lstm.initialValues("lstm.weight_ih_l0", 1), 0.25f);
        assertBound(lstm.initialValues("lstm.bias_hh_l1", 1), 0.25f);
        assertBound(conv.initialValues("conv1.weight", 1), (float) (1 / Math.sqrt(2 * 7)));
    }

    private static void assertBound(float[] values, float bound) {
        float largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(largest).isBetween(0.9f * bound, bound);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "series?classes=3|takes series of [2, 50] in 3 classes, the dataset has series of [2, 50] with a number each",
                "series?input=2x51|takes series of [2, 51], the dataset has series of [2, 50]",
                "series?kind=gru|kind of series must be conv or lstm; it is 'gru'",
                "series?layers=0|layers of series must be a number from 1 to 100; it is '0'",
                "series?classes=3&loss=huber|states classes and loss: a class has no distance",
                "tabular|takes rows of 10 numbers in 2 classes, the dataset has series of [2, 50]",
                "lenet5|takes images of [1, 28, 28] in 10 classes, the dataset has series of [2, 50]"
            })
    void shouldRefuseWhatDoesNotFit(String text, String message) {
        assertThatThrownBy(() -> Networks.named(text, HEIGHTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
