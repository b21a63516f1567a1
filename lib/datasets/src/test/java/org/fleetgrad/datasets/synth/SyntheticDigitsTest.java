package org.fleetgrad.datasets.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.files.Sha256;
import org.junit.jupiter.api.Test;

class SyntheticDigitsTest {

    @Test
    void shouldDrawTheSameDigitsForTheSameSeedOnEveryPlatform() {
        ImageSamples digits = SyntheticDigits.generate(200, 42);

        assertThat(Sha256.of(ByteBuffer.wrap(digits.images())))
                .isEqualTo("d47cc99c8cecd62afa6e4879ec8709d8a1a587c6af036e3fdeeca58d70ea86fc");
        assertThat(Sha256.of(ByteBuffer.wrap(digits.labels().bytes())))
                .isEqualTo("d6a259759d63330324d61966c1e769111a28fbe6ed422386d69f15dea24e8918");
    }

    @Test
    void shouldDrawOtherDigitsForAnotherSeed() {
        ImageSamples one = SyntheticDigits.generate(50, 1);
        ImageSamples other = SyntheticDigits.generate(50, 2);

        assertThat(one.images()).isNotEqualTo(other.images());
        assertThat(one.labels()).isNotEqualTo(other.labels());
    }

    @Test
    void shouldBalanceAndShuffleTheLabels() {
        ImageSamples digits = SyntheticDigits.generate(1005, 3);

        int[] counts = new int[10];
        int ascents = 0;
        for (int i = 0; i < digits.count(); i++) {
            counts[digits.label(i)]++;
            ascents += i > 0 && digits.label(i) == (digits.label(i - 1) + 1) % 10 ? 1 : 0;
        }
        assertThat(counts).containsExactly(101, 101, 101, 101, 101, 100, 100, 100, 100, 100);
        // Sorted labels would ascend at all 1004 neighbours; random ones at one in ten, within five standard
        // deviations.
        assertThat(ascents).isBetween(52, 150);
    }

    @Test
    void shouldDrawBrightInkOnADarkSheet() {
        ImageSamples digits = SyntheticDigits.generate(100, 4);

        for (int i = 0; i < digits.count(); i++) {
            int bright = 0;
            int dark = 0;
            for (int p = i * 784; p < (i + 1) * 784; p++) {
                int pixel = Byte.toUnsignedInt(digits.images()[p]);
                bright += pixel > 128 ? 1 : 0;
                dark += pixel < 64 ? 1 : 0;
            }
            assertThat(bright).as("bright pixels of digit %d", i).isBetween(15, 250);
            assertThat(dark).as("dark pixels of digit %d", i).isGreaterThan(400);
        }
    }

    @Test
    void shouldBeTooHardForALinearClassifier() {
        ImageSamples train = SyntheticDigits.generate(12_000, 5);
        ImageSamples test = SyntheticDigits.generate(2_000, 6);

        SoftmaxRegression linear = new SoftmaxRegression(train, 10);
        linear.train(8, 0.05f);

        // Measured with PyTorch: 0.90 after 15 epochs; LeNet-5 passes 0.98 in its second.
        assertThat(linear.accuracy(test)).isBetween(0.80, 0.93);
    }

    @Test
    void shouldRefuseToDrawNothing() {
        assertThatThrownBy(() -> SyntheticDigits.generate(0, 1))
                .hasMessage("the number of digits must be 1 or more; it is 0");
    }
}
