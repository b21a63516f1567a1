package org.fleetgrad.datasets.svhn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.types.MatlabType;
import us.hebi.matlab.mat.types.Matrix;

/** Files that SciPy wrote (src/test/python/make_svhn.py), and broken ones. */
class SvhnFileTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadPixelsAndDigitsAsSciPyWroteThem() throws IOException {
        ImageSamples samples = SvhnFile.read(resource("tiny.mat"));

        assertThat(samples.shape()).containsExactly(3, 32, 32);
        assertThat(samples.labels()).isEqualTo(Labels.of(0, 1, 9, 2));
        assertThat(samples.images()).isEqualTo(expected(4));
    }

    @Test
    void shouldReadAFileThatIsNotCompressedAndHasLabelsAsDoubles() throws IOException {
        ImageSamples samples = SvhnFile.read(resource("uncompressed.mat"));

        assertThat(samples.labels()).isEqualTo(Labels.of(0, 1));
        assertThat(samples.images()).isEqualTo(expected(2));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 11, 1.5, Double.NaN})
    void shouldRefuseALabelThatIsNoDigit(double label) throws IOException {
        Path file = write(Mat5.newMatrix(new int[] {32, 32, 3, 2}, MatlabType.UInt8), 10, label);

        assertThatThrownBy(() -> SvhnFile.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("%s: sample 1 has the label %s; labels are 1 to 10, and 10 means the digit 0"
                        .formatted(file, label));
    }

    @Test
    void shouldRefuseImagesAndLabelsThatDifferInNumber() throws IOException {
        Path file = write(Mat5.newMatrix(new int[] {32, 32, 3, 2}, MatlabType.UInt8), 10, 1, 2);

        assertThatThrownBy(() -> SvhnFile.read(file))
                .hasMessageStartingWith(
                        "%s: X has the dimensions [32, 32, 3, 2] and y 3 labels; X must be".formatted(file));
    }

    @Test
    void shouldRefusePixelsThatAreNotBytes() throws IOException {
        Path file = write(Mat5.newMatrix(new int[] {32, 32, 3, 2}, MatlabType.Double), 10, 1);

        assertThatThrownBy(() -> SvhnFile.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith(
                        "%s cannot be read as a MATLAB file (version 5) with the variables X and y".formatted(file));
    }

    @Test
    void shouldNameABrokenFileWhereverItEnds() throws IOException {
        byte[] whole = Files.readAllBytes(resource("tiny.mat"));
        for (int length : new int[] {0, 1, 127, 128, 140, whole.length / 2, whole.length - 1}) {
            Path file = Files.write(folder.resolve("cut-%d.mat".formatted(length)), Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> SvhnFile.read(file))
                    .as("the first %d bytes", length)
                    .isInstanceOf(InvalidDatasetException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void shouldNotAllocateWhatAFileOnlyStates() throws IOException {
        byte[] lying = Files.readAllBytes(resource("uncompressed.mat"));
        // The tag of the data of X: uint8 (2), then its length.
        int tag = -1;
        for (int i = 128; tag < 0; i += 4) {
            tag = lying[i] == 2 && lying[i + 1] == 0 && lying[i + 4] == 0 && lying[i + 5] == 0x18 ? i : -1;
        }
        lying[tag + 7] = 0x7F;
        Path file = Files.write(folder.resolve("lying.mat"), lying);

        assertThatThrownBy(() -> SvhnFile.read(file))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("of data, and can hold");
    }

    private Path write(Matrix images, double... labels) throws IOException {
        Matrix y = Mat5.newMatrix(labels.length, 1);
        for (int i = 0; i < labels.length; i++) {
            y.setDouble(i, labels[i]);
        }
        Path file = folder.resolve("written.mat");
        Mat5.writeToFile(Mat5.newMatFile().addArray("X", images).addArray("y", y), file.toFile());
        return file;
    }

    private Path resource(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = Objects.requireNonNull(SvhnFileTest.class.getResourceAsStream(name), name)) {
            Files.copy(in, file);
        }
        return file;
    }

    private static byte[] expected(int count) {
        byte[] pixels = new byte[count * 3 * 32 * 32];
        for (int i = 0; i < pixels.length; i++) {
            int column = i % 32;
            int row = i / 32 % 32;
            int channel = i / 1024 % 3;
            int image = i / 3072;
            pixels[i] = (byte) (7 * row + 3 * column + 50 * channel + 11 * image);
        }
        return pixels;
    }
}
