package org.fleetgrad.datasets.svhn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import us.hebi.matlab.mat.format.BufferAllocator;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.format.Mat5File;
import us.hebi.matlab.mat.format.Mat5Reader.EntryHeader;
import us.hebi.matlab.mat.types.MatlabType;
import us.hebi.matlab.mat.types.Matrix;
import us.hebi.matlab.mat.types.Source;
import us.hebi.matlab.mat.types.Sources;

/**
 * Reads a file of cropped digits of Street View House Numbers, by Netzer et al., "Reading Digits in Natural Images with
 * Unsupervised Feature Learning" (2011): in MATLAB's version 5, {@code X} uint8 [rows, columns, 3, n] and {@code y} [n, 1], in
 * which 10 stands for the digit 0.
 */
public final class SvhnFile {

    private static final String IMAGES = "X";
    private static final String LABELS = "y";
    private static final int CHANNELS = 3;
    private static final int DIGITS = 10;

    /** The largest compression ratio of Deflate. */
    private static final long DEFLATE_RATIO = 1032;

    private static final long SMALLEST_LIMIT = 1 << 20;
    private static final int LARGEST_SIZE = 1024;

    private SvhnFile() {}

    /**
     * Reads a file.
     *
     * @throws InvalidDatasetException if it breaks the format, or lacks a variable, or a label is not from 1 to 10
     */
    public static ImageSamples read(Path file) throws IOException {
        long limit = Math.max(SMALLEST_LIMIT, Files.size(file) * DEFLATE_RATIO);
        try (Source source = Sources.openStreamingFile(file.toFile())) {
            Mat5File mat = Mat5.newReader(source)
                    .disableSubsystemProcessing()
                    .setBufferAllocator(new BoundedAllocator(limit))
                    .setEntryFilter(SvhnFile::isWanted)
                    .readMat();
            return samples(file, mat.getMatrix(IMAGES), mat.getMatrix(LABELS));
        } catch (InvalidDatasetException invalid) {
            throw invalid;
        } catch (IOException | RuntimeException broken) {
            // The library throws unchecked exceptions too for broken files.
            throw new InvalidDatasetException(
                    "%s cannot be read as a MATLAB file (version 5) with the variables X and y: %s"
                            .formatted(file, broken.getMessage()),
                    broken);
        }
    }

    private static boolean isWanted(EntryHeader header) {
        return (header.getName().equals(IMAGES) && header.getType() == MatlabType.UInt8)
                || header.getName().equals(LABELS);
    }

    private static ImageSamples samples(Path file, Matrix images, Matrix labels) throws InvalidDatasetException {
        int[] shape = images.getDimensions();
        int count = labels.getNumElements();
        // For a single image, MATLAB drops the last dimension.
        int held = shape.length == 3 ? 1 : shape.length == 4 ? shape[3] : -1;
        if (held < 1
                || held != count
                || shape[2] != CHANNELS
                || Math.min(shape[0], shape[1]) < 1
                || Math.max(shape[0], shape[1]) > LARGEST_SIZE) {
            throw new InvalidDatasetException(
                    "%s: X has the dimensions %s and y %d labels; X must be [rows, columns, 3, n] with one label for each of n images"
                            .formatted(file, Arrays.toString(shape), count));
        }
        return new ImageSamples(CHANNELS, shape[0], shape[1], pixels(images, shape, count), digits(file, labels));
    }

    private static byte[] digits(Path file, Matrix labels) throws InvalidDatasetException {
        byte[] digits = new byte[labels.getNumElements()];
        for (int i = 0; i < digits.length; i++) {
            double label = labels.getDouble(i);
            if (label != Math.rint(label) || label < 1 || label > DIGITS) {
                throw new InvalidDatasetException(
                        "%s: sample %d has the label %s; labels are 1 to 10, and 10 means the digit 0"
                                .formatted(file, i, label));
            }
            digits[i] = (byte) ((int) label % DIGITS);
        }
        return digits;
    }

    /** Converts MATLAB's column-major order, in which the first index is the fastest, to [n, channels, rows, columns]. */
    private static byte[] pixels(Matrix images, int[] shape, int count) {
        int rows = shape[0];
        int columns = shape[1];
        byte[] pixels = new byte[Math.multiplyExact(count, CHANNELS * rows * columns)];
        int from = 0;
        for (int plane = 0; plane < count * CHANNELS; plane++) {
            for (int column = 0; column < columns; column++) {
                for (int row = 0; row < rows; row++) {
                    pixels[(plane * rows + row) * columns + column] = images.getByte(from++);
                }
            }
        }
        return pixels;
    }

    /** Rejects sizes that the file states but cannot contain. */
    private record BoundedAllocator(long limit) implements BufferAllocator {

        @Override
        public ByteBuffer allocate(int bytes) {
            if (bytes > limit) {
                throw new IllegalArgumentException(
                        "it states %d bytes of data, and can hold %d".formatted(bytes, limit));
            }
            return ByteBuffer.allocate(bytes);
        }

        @Override
        public void release(ByteBuffer buffer) {
            // The garbage collector frees it.
        }
    }
}
