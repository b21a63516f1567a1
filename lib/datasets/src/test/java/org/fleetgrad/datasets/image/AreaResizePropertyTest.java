package org.fleetgrad.datasets.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AreaResizePropertyTest {

    @Property(tries = 300)
    void shouldKeepTheMean(
            @ForAll @IntRange(min = 1, max = 60) int width,
            @ForAll @IntRange(min = 1, max = 60) int height,
            @ForAll @IntRange(min = 1, max = 40) int newWidth,
            @ForAll @IntRange(min = 1, max = 40) int newHeight,
            @ForAll long seed) {
        float[] plane = random(width * height, seed);

        float[] resized = AreaResize.resize(plane, width, height, newWidth, newHeight);

        assertThat(mean(resized)).isCloseTo(mean(plane), within(1e-3));
        for (float value : resized) {
            assertThat(value).isBetween(-1e-3f, 255.001f);
        }
    }

    @Property(tries = 100)
    void shouldKeepEveryValueWhenTheSizeIsTheSame(
            @ForAll @IntRange(min = 1, max = 60) int width,
            @ForAll @IntRange(min = 1, max = 60) int height,
            @ForAll long seed) {
        float[] plane = random(width * height, seed);

        assertThat(AreaResize.resize(plane, width, height, width, height)).isEqualTo(plane);
    }

    @Example
    void shouldAverageWhatAPixelCovers() {
        float[] resized = AreaResize.resize(new float[] {0, 30, 60, 90, 120, 150}, 3, 2, 2, 1);

        // Columns 0 and half of 1, then half of 1 and 2; the mean of both rows.
        assertThat(resized).containsExactly((0 + 15 + 90 + 60) / 3f, (15 + 60 + 60 + 150) / 3f);
    }

    private static float[] random(int size, long seed) {
        Random random = new Random(seed);
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = random.nextInt(256);
        }
        return values;
    }

    private static double mean(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
