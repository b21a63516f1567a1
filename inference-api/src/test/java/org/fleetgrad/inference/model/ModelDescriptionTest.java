package org.fleetgrad.inference.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelDescriptionTest {

    private static final ModelDescription DESCRIPTION =
            new ModelDescription(new Normalization(List.of(0.1307f, 0.5f), List.of(0.3081f, 0.25f)), List.of("a", "b"));

    @Test
    void shouldStayWhenMetadataIsSilent() {
        assertThat(DESCRIPTION.overriddenBy(Map.of("generation", "g"))).isEqualTo(DESCRIPTION);
    }

    @Test
    void shouldYieldToMetadata() {
        ModelDescription stated = DESCRIPTION.overriddenBy(
                Map.of("normalization", "{\"mean\":[0.25,0],\"std\":[1,2]}", "classes", "[\"x\",\"y\"]"));

        assertThat(stated.normalization()).isEqualTo(new Normalization(List.of(0.25f, 0f), List.of(1f, 2f)));
        assertThat(stated.classes()).containsExactly("x", "y");
    }

    @Test
    void shouldNameTheOutputsThatMetadataHasNoClassFor() {
        assertThat(DESCRIPTION.overriddenBy(Map.of("classes", "[\"x\"]")).classes())
                .containsExactly("x", "output 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "normalization | {\"mean\":[0.25],\"std\":[1]}     | is for 1 channels, the network has 2",
                "normalization | {\"mean\":[0.25,1],\"std\":[1,0]} | std finite and positive",
                "normalization | {\"mean\":[0.25                   | 'normalization' is malformed",
                "normalization | {\"mean\":null,\"std\":[1,2]}     | 'normalization' is malformed",
                "normalization | null                              | 'normalization' is malformed",
                "classes       | [\"x\",\"y\",\"z\"]               | names 3 classes, the network has 2 outputs",
                "classes       | [\"x\",null]                      | 'classes' is malformed",
                "classes       | null                              | 'classes' is malformed",
                "classes       | {}                                | 'classes' is malformed"
            })
    void shouldRejectMetadataThatIsNotOfThisNetwork(String key, String value, String message) {
        assertThatThrownBy(() -> DESCRIPTION.overriddenBy(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldNormalizePixelsToTheBitsOfTheTraining() {
        ImageShape shape = new ImageShape(2, 16, 16);
        byte[] bytes = new byte[shape.values()];
        float[] pixels = new float[shape.values()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
            pixels[i] = i & 0xFF;
        }
        float[] expected = new float[shape.values()];
        DESCRIPTION.normalization().normalize(new Samples(2, 16, 16, bytes, new byte[1]), 0, expected, 0);

        DESCRIPTION.normalize(pixels, shape);

        assertThat(pixels).isEqualTo(expected);
    }
}
