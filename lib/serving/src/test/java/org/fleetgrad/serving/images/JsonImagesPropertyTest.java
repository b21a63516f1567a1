package org.fleetgrad.serving.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.serving.ImageShape;

class JsonImagesPropertyTest {

    private final JsonImages reader = new JsonImages(new ImageShape(1, 2, 2), 8);

    @Property(tries = 200)
    void shouldReadBackEveryValue(@ForAll @Size(4) List<@FloatRange(max = 255) Float> values) {
        float[] read = reader.read(("{\"image\":" + values + "}").getBytes(StandardCharsets.UTF_8))
                .pixels();

        assertThat(read).containsExactly(values.toArray(Float[]::new));
    }

    @Property(tries = 1000)
    void shouldAnswerAnyBytesWithImagesOrInvalidImages(@ForAll byte[] body) {
        try {
            assertThat(reader.read(body).count()).isPositive();
        } catch (InvalidImagesException expected) {
            assertThat(expected).hasMessageMatching("(?s).+");
        }
    }
}
