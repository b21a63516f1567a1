package org.fleetgrad.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Test;

class NormalizationTest {

    /** Two images of two channels of two pixels. */
    private static final ImageSamples TWO =
            new ImageSamples(2, 1, 2, new byte[] {0, (byte) 255, 10, 20, 100, (byte) 200, 30, 40}, new byte[] {0, 1});

    @Test
    void shouldMeasureEachChannelOverAllImages() {
        Normalization measured = Normalization.of(TWO);

        assertThat(measured.mean()).containsExactly((float) (555 / 4.0 / 255), (float) (100 / 4.0 / 255));
        double variance = (0 + 255 * 255 + 100 * 100 + 200 * 200) / 4.0 - (555 / 4.0) * (555 / 4.0);
        assertThat(measured.std().get(0)).isEqualTo((float) (Math.sqrt(variance) / 255));
        assertThat(measured.std().get(1)).isEqualTo((float) (Math.sqrt(125) / 255));
    }

    @Test
    void shouldMeasureThePublishedValuesOfMnist() throws IOException {
        Normalization mnist = Normalization.of(
                IdxDataset.open(SharedData.require("data/mnist")).train());

        assertThat(mnist.mean().get(0)).isCloseTo(0.1307f, within(0.00005f));
        assertThat(mnist.std().get(0)).isCloseTo(0.3081f, within(0.00005f));
    }

    @Test
    void shouldScaleEachPixelByItsChannel() {
        Normalization normalization = new Normalization(List.of(0.5f, 0.25f), List.of(0.5f, 2f));
        float[] target = new float[6];

        normalization.normalize(TWO, 1, target, 2);

        assertThat(target)
                .containsExactly(
                        0,
                        0,
                        (100 / 255f - 0.5f) / 0.5f,
                        (200 / 255f - 0.5f) / 0.5f,
                        (30 / 255f - 0.25f) / 2,
                        (40 / 255f - 0.25f) / 2);
    }

    @Test
    void shouldGiveMeasuredSamplesMeanZeroAndStdOne() {
        float[] target = new float[8];
        Normalization.of(TWO).normalize(TWO, new int[] {0, 1}, target);

        double sum = target[0] + target[1] + target[4] + target[5];
        double squares = target[0] * target[0] + target[1] * target[1] + target[4] * target[4] + target[5] * target[5];
        assertThat(sum).isCloseTo(0, within(1e-5));
        assertThat(squares / 4).isCloseTo(1, within(1e-5));
    }

    @Test
    void shouldWriteBatchesInTheOrderOfTheirIndices() {
        Normalization normalization = Normalization.of(TWO);
        float[] batch = new float[12];
        normalization.normalize(TWO, new int[] {1, 0, 1}, batch);

        float[] single = new float[4];
        for (int place = 0; place < 3; place++) {
            normalization.normalize(TWO, place == 1 ? 0 : 1, single, 0);
            assertThat(batch).containsSubsequence(single);
            assertThat(Arrays.copyOfRange(batch, place * 4, place * 4 + 4)).containsExactly(single);
        }
    }

    @Test
    void shouldGiveAConstantChannelZeros() {
        ImageSamples constant = new ImageSamples(1, 1, 2, new byte[] {9, 9}, new byte[] {0});
        float[] target = {5, 5};

        Normalization.of(constant).normalize(constant, 0, target, 0);

        assertThat(target).containsExactly(0, 0);
    }

    @Test
    void shouldRefuseValuesThatCannotScale() {
        assertThatThrownBy(() -> new Normalization(List.of(0f), List.of(0f)))
                .hasMessage("channel 0: the mean must be finite and the std finite and positive; they are 0.0 and 0.0");
        assertThatThrownBy(() -> new Normalization(List.of(Float.NaN), List.of(1f)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Normalization(List.of(0f, 0f), List.of(1f)))
                .hasMessage("a normalization needs a mean and a std for each channel; it has 2 means and 1 stds");
        assertThatThrownBy(() -> Normalization.of(TWO.slice(0, 0)))
                .hasMessage("a normalization needs at least 1 sample; there are 0");
    }

    @Test
    void shouldRefuseOtherChannelsAndTargetsTooSmall() {
        Normalization one = new Normalization(List.of(0f), List.of(1f));
        assertThatThrownBy(() -> one.normalize(TWO, 0, new float[4], 0))
                .hasMessage("the normalization has 1 channels, the images 2");
        Normalization two = Normalization.of(TWO);
        assertThatThrownBy(() -> two.normalize(TWO, 0, new float[4], 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> two.normalize(TWO, 2, new float[4], 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldEqualByValues() {
        assertThat(Normalization.of(TWO)).isEqualTo(Normalization.of(TWO)).hasSameHashCodeAs(Normalization.of(TWO));
        assertThat(new Normalization(List.of(0f), List.of(1f)))
                .isNotEqualTo(new Normalization(List.of(0f), List.of(2f)))
                .hasToString("Normalization[mean=[0.0], std=[1.0]]");
    }
}
