package org.fleetgrad.serving.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonImagesTest {

    private static final JsonImages GREY = new JsonImages(new ImageShape(1, 2, 3), 2);
    private static final JsonImages COLOUR = new JsonImages(new ImageShape(3, 1, 2), 2);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"image\":[0,1,2.5,3,4,255]}",
                "{\"image\":[[0,1,2.5],[3,4,255]]}",
                "{\"image\":[[[0,1,2.5],[3,4,255]]]}",
                "{\"images\":[[0,1,2.5,3,4,255]]}",
                " { \"images\" : [ [[0,1,2.5],[3,4,255e0]] ] } "
            })
    void shouldReadFlatAndNestedImages(String body) {
        Images images = read(GREY, body);

        assertThat(images.count()).isEqualTo(1);
        assertThat(images.pixels()).containsExactly(0, 1, 2.5f, 3, 4, 255);
    }

    @Test
    void shouldReadSeveralImagesOfAnyNesting() {
        Images images = read(COLOUR, "{\"images\":[[1,2,3,4,5,6],[[[7,8]],[[9,10]],[[11,12]]]]}");

        assertThat(images.count()).isEqualTo(2);
        assertThat(images.pixels()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    void shouldInvert() {
        assertThat(read(GREY, "{\"image\":[0,1,2,3,4,255]}").inverted().pixels())
                .containsExactly(255, 254, 253, 252, 251, 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                               | it has neither",
                "[]                             | it has neither",
                "7                              | it has neither",
                "{}                             | it has neither",
                "{\"image\":7}                  | 'image' must be an array",
                "{\"image\":null}               | 'image' must be an array",
                "{\"picture\":[1]}              | it has 'picture'",
                "{\"image\":[1,2,3,4,5,6],\"images\":[]} | it has both 'images' and 'image'",
                "{\"image\":[1,2,3,4,5,6]} {}   | it has more content after the images",
                "{\"image\":[1,2,3,4,5]}        | image 0 is an array of 5 values, the network takes 1 x 2 x 3 (6 in a flat array)",
                "{\"image\":[[1,2],[3,4],[5,6]]} | image 0 is an array of 3 x 2 values",
                "{\"image\":[]}                 | image 0 is an array of 0 values",
                "{\"image\":[[1,2,3],[4,5]]}    | image 0 is ragged: element 1 of a nested array has the sizes [2], the elements before it have [3]",
                "{\"image\":[[1,2,3],4]}        | image 0 is ragged",
                "{\"image\":[1,2,3,4,5,256]}    | image 0 has the value 256; values must be from 0 to 255",
                "{\"image\":[1,2,3,4,5,-0.5]}   | image 0 has the value -0.5",
                "{\"image\":[1,2,3,4,5,1e999]}  | image 0 has the value 1e999",
                "{\"image\":[1,2,3,4,5,\"6\"]}  | image 0 has a string; a number from 0 to 255 is required",
                "{\"image\":[[[[1]]]]}          | image 0 has an array; a number",
                "{\"image\":[1,2,3,4,5,NaN]}    | the body is not JSON",
                "{\"image\":[1,2,3              | the body is not JSON",
                "{\"images\":[]}                | 'images' is empty",
                "{\"images\":[1]}               | image 0 must be an array",
                "{\"images\":[[1,2,3,4,5,6],[1]]} | image 1 is an array of 1 values"
            })
    void shouldRejectWhatIsNoImage(String body, String message) {
        assertThatThrownBy(() -> read(GREY, body == null ? "" : body))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        failure -> assertThat(failure.rule()).isEqualTo(Rule.MALFORMED))
                .hasMessageContaining(message);
    }

    @Test
    void shouldRejectMoreImagesThanAccepted() {
        assertThatThrownBy(() -> read(GREY, "{\"images\":[[1,2,3,4,5,6],[1,2,3,4,5,6],[0]]}"))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        failure -> assertThat(failure.rule()).isEqualTo(Rule.TOO_MANY))
                .hasMessage("the request has more images than the limit of 2");
    }

    @Test
    void shouldRejectDeepNesting() {
        String deep = "{\"image\":" + "[".repeat(100_000);

        assertThatThrownBy(() -> read(GREY, deep)).isInstanceOf(InvalidImagesException.class);
    }

    private static Images read(JsonImages reader, String body) {
        return reader.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
