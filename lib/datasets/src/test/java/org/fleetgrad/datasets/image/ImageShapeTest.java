package org.fleetgrad.datasets.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;
import org.junit.jupiter.api.Test;

class ImageShapeTest {

    private static final ImageHeader COLOURED = new ImageHeader(500, 375, false);
    private static final ImageHeader GREY = new ImageHeader(500, 375, true);
    private static final ImageHeader SMALL = new ImageHeader(20, 30, false);

    private static ImageOptions network(List<Integer> shape, boolean isStated) {
        return new ImageOptions(
                OptionalInt.empty(),
                Optional.of(new NetworkInput("resnet20", shape, isStated)),
                OptionalDouble.empty(),
                false);
    }

    private static ImageOptions size(int size) {
        return new ImageOptions(OptionalInt.of(size), Optional.empty(), OptionalDouble.empty(), false);
    }

    @Test
    void shouldKeepOneSize() throws Exception {
        ImageOptions usual = network(List.of(3, 32, 32), false);

        assertThat(ImageShape.of(List.of(COLOURED, COLOURED), usual))
                .isEqualTo(new ImageShape(new FittedImage(3, 375, 500), List.of()));
        assertThat(ImageShape.of(List.of(GREY), ImageOptions.NONE).fitted()).isEqualTo(new FittedImage(1, 375, 500));
    }

    @Test
    void shouldTakeTheInputOfTheNetworkForDifferentSizes() throws Exception {
        ImageShape shape = ImageShape.of(List.of(COLOURED, GREY, SMALL), network(List.of(3, 32, 32), false));

        assertThat(shape.fitted()).isEqualTo(new FittedImage(3, 32, 32));
        assertThat(shape.notes())
                .containsExactly(
                        "3 images of 2 sizes, from 20 x 30 to 500 x 375, median 500 x 375 pixels: brought to 32 x 32, the input of resnet20 (--image-size N for another size)",
                        "1 of 3 images are grey: their values are repeated as red, green and blue");
    }

    @Test
    void shouldTakeTheInputThatTheNetworkStatesEvenForOneSize() throws Exception {
        ImageShape shape = ImageShape.of(List.of(COLOURED, GREY), network(List.of(1, 28, 40), true));

        assertThat(shape.fitted()).isEqualTo(new FittedImage(1, 28, 40));
        assertThat(shape.notes())
                .containsExactly(
                        "2 images of 500 x 375 pixels: brought to 40 x 28, the input of resnet20 (--image-size N for another size)",
                        "1 of 2 images are coloured: they become grey, as the network takes them");
        assertThat(ImageShape.of(List.of(SMALL), network(List.of(3, 30, 20), true))
                        .notes())
                .isEmpty();
    }

    @Test
    void shouldTakeTheMedianWithoutANetwork() throws Exception {
        assertThat(ImageShape.of(List.of(SMALL, SMALL, COLOURED), ImageOptions.NONE)
                        .fitted())
                .isEqualTo(new FittedImage(3, 20, 20));
        assertThat(ImageShape.of(List.of(SMALL, COLOURED, COLOURED), ImageOptions.NONE)
                        .fitted())
                .as("the limit")
                .isEqualTo(new FittedImage(3, 224, 224));
        // One size, but too large to keep.
        assertThat(ImageShape.of(List.of(new ImageHeader(4000, 3000, false)), ImageOptions.NONE)
                        .fitted())
                .isEqualTo(new FittedImage(3, 224, 224));
    }

    @Test
    void shouldTakeTheSizeThatIsGivenAndRefuseOneThatIsTooLarge() throws Exception {
        assertThat(ImageShape.of(List.of(SMALL, COLOURED), size(64)))
                .isEqualTo(new ImageShape(new FittedImage(3, 64, 64), List.of()));
        assertThatThrownBy(() -> ImageShape.of(List.of(SMALL), size(1025)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("the image size must be from 1 to 1024 pixels; it is 1025");
        assertThatThrownBy(() -> ImageShape.of(List.of(SMALL), network(List.of(3, 32, 5000), true)))
                .hasMessage("the image size must be from 1 to 1024 pixels; it is 5000 x 32");
    }
}
