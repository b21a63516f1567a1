package org.fleetgrad.datasets.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;

class AugmentationPropertyTest {

    private static final int PAD = 4;

    @Property(tries = 300)
    void shouldBeThePaddedCroppedAndFlippedImage(
            @ForAll long seed,
            @ForAll @IntRange(max = 500) int epoch,
            @ForAll @IntRange(min = 5, max = 12) int height,
            @ForAll @IntRange(min = 5, max = 12) int width,
            @ForAll @IntRange(min = 1, max = 3) int channels) {
        ImageSamples samples = samples(3, channels, height, width, seed);
        Normalization normalization = normalization(channels);
        ImageChanges changes = Augmentation.PAD_CROP_FLIP.during(seed, epoch, 70);
        float[] augmented = new float[2 * samples.imageBytes()];

        normalization.normalize(samples, new int[] {2, 0}, augmented, changes);

        float[] expected = new float[augmented.length];
        normalization.normalize(naive(samples, 2, changes.draw(2)), 0, expected, 0);
        normalization.normalize(naive(samples, 0, changes.draw(0)), 0, expected, samples.imageBytes());
        assertThat(augmented).isEqualTo(expected);
    }

    @Property(tries = 200)
    void shouldDependOnTheSampleAndNotOnItsShard(
            @ForAll long seed, @ForAll @IntRange(max = 500) int epoch, @ForAll @IntRange(max = 99) int cut) {
        ImageSamples all = samples(100, 1, 6, 6, seed);
        float[] whole = new float[100 * all.imageBytes()];
        float[] parts = new float[whole.length];
        Normalization normalization = normalization(1);
        normalization.normalize(
                all, IntStream.range(0, 100).toArray(), whole, Augmentation.PAD_CROP_FLIP.during(seed, epoch, 0));

        ImageSamples second = all.slice(cut, 100);
        float[] ofSecond = new float[second.images().length];
        normalization.normalize(
                second,
                IntStream.range(0, second.count()).toArray(),
                ofSecond,
                Augmentation.PAD_CROP_FLIP.during(seed, epoch, cut));
        System.arraycopy(whole, 0, parts, 0, cut * all.imageBytes());
        System.arraycopy(ofSecond, 0, parts, cut * all.imageBytes(), ofSecond.length);

        assertThat(parts).isEqualTo(whole);
    }

    @Example
    void shouldDrawEachOffsetAndBothSidesEquallyOften() {
        int draws = 90_000;
        int[] tops = new int[9];
        int[] lefts = new int[9];
        int flips = 0;
        int both = 0;
        for (int i = 0; i < draws; i++) {
            long draw = Augmentation.PAD_CROP_FLIP.during(7, i / 10_000, 0).draw(i % 10_000);
            tops[ImageChanges.top(draw)]++;
            lefts[ImageChanges.left(draw)]++;
            flips += ImageChanges.isFlipped(draw) ? 1 : 0;
            both += ImageChanges.top(draw) == ImageChanges.left(draw) && ImageChanges.isFlipped(draw) ? 1 : 0;
        }
        // Five standard deviations of the counts: sqrt(n p (1 - p)).
        assertThat(Arrays.stream(tops).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(10_000 - 472, 10_000 + 472));
        assertThat(Arrays.stream(lefts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(10_000 - 472, 10_000 + 472));
        assertThat(flips).isBetween(45_000 - 750, 45_000 + 750);
        assertThat(both).isBetween(5_000 - 344, 5_000 + 344);
    }

    @Example
    void shouldChangeFromEpochToEpochAndFromSeedToSeed() {
        long[] draws = {
            draw(1, 0, 5), draw(2, 0, 5), draw(1, 1, 5), draw(1, 0, 6), draw(0, 1, 5), draw(1, 5, 0), draw(5, 1, 0)
        };

        assertThat(Arrays.stream(draws).distinct()).hasSize(draws.length);
    }

    private static long draw(long seed, long epoch, int index) {
        return Augmentation.PAD_CROP_FLIP.during(seed, epoch, 0).draw(index);
    }

    @Example
    void shouldKeepAnImageThatIsCroppedInTheMiddleAndNotFlipped() {
        int[] places = new int[6];
        ImageChanges.places(places, 6, PAD, false);
        assertThat(places).containsExactly(0, 1, 2, 3, 4, 5);
        ImageChanges.places(places, 6, 0, false);
        assertThat(places).containsExactly(4, 3, 2, 1, 0, 1);
        ImageChanges.places(places, 6, 8, false);
        assertThat(places).containsExactly(4, 5, 4, 3, 2, 1);
        ImageChanges.places(places, 6, 8, true);
        assertThat(places).containsExactly(1, 2, 3, 4, 5, 4);
    }

    @Example
    void shouldChangeNothingWithoutAnAugmentation() {
        ImageSamples samples = samples(4, 3, 2, 2, 1);
        float[] plain = new float[samples.images().length];
        float[] none = new float[plain.length];
        int[] all = {0, 1, 2, 3};

        normalization(3).normalize(samples, all, plain);
        normalization(3).normalize(samples, all, none, Augmentation.NONE.during(1, 2, 3));

        assertThat(none).isEqualTo(plain);
        assertThat(Augmentation.labels()).containsExactly("none", "pad-crop-flip");
        assertThat(Augmentation.named("pad-crop-flip")).contains(Augmentation.PAD_CROP_FLIP);
        assertThat(Augmentation.named("flip")).isEmpty();
    }

    @Example
    void shouldRefuseImagesThatAreTooSmallToReflect() {
        ImageSamples small = samples(1, 1, 4, 9, 1);

        assertThatThrownBy(() -> normalization(1)
                        .normalize(small, new int[] {0}, new float[36], Augmentation.PAD_CROP_FLIP.during(1, 0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the augmentation pad-crop-flip needs images of at least 5 x 5 pixels; these have 4 x 9; use none");
    }

    /** Pads, then crops, then flips, each as its own image. */
    private static ImageSamples naive(ImageSamples samples, int index, long draw) {
        int height = samples.height();
        int width = samples.width();
        byte[] result = new byte[samples.imageBytes()];
        for (int channel = 0; channel < samples.channels(); channel++) {
            byte[][] padded = new byte[height + 2 * PAD][width + 2 * PAD];
            for (int y = 0; y < padded.length; y++) {
                for (int x = 0; x < padded[y].length; x++) {
                    int from = index * samples.imageBytes() + channel * height * width;
                    padded[y][x] =
                            samples.images()[from + reflected(y - PAD, height) * width + reflected(x - PAD, width)];
                }
            }
            byte[][] cropped = new byte[height][width];
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    cropped[y][x] = padded[ImageChanges.top(draw) + y][ImageChanges.left(draw) + x];
                }
            }
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    result[(channel * height + y) * width + x] =
                            ImageChanges.isFlipped(draw) ? cropped[y][width - 1 - x] : cropped[y][x];
                }
            }
        }
        return new ImageSamples(samples.channels(), height, width, result, new byte[1]);
    }

    private static int reflected(int place, int length) {
        return place < 0 ? -place : place < length ? place : 2 * (length - 1) - place;
    }

    private static Normalization normalization(int channels) {
        return new Normalization(
                List.of(0.1f, 0.2f, 0.3f).subList(0, channels),
                List.of(0.9f, 1f, 1.1f).subList(0, channels));
    }

    private static ImageSamples samples(int count, int channels, int height, int width, long seed) {
        byte[] images = new byte[count * channels * height * width];
        new Random(seed).nextBytes(images);
        return new ImageSamples(channels, height, width, images, new byte[count]);
    }
}
