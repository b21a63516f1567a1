package org.fleetgrad.datasets.array;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.ZipException;
import org.fleetgrad.datasets.InvalidDatasetException;

/**
 * An array in a file. Its elements are read one after the other, so that memory has a buffer of them. Confined to one thread.
 *
 * @param source of its bytes
 * @param header what the file states, which fits the size of the file
 */
record NpyArray(ArraySource source, NpyHeader header) {

    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * Reads the header.
     *
     * @throws InvalidDatasetException if it breaks the format, or states more than the file can have
     */
    static NpyArray open(ArraySource source) throws IOException {
        NpyHeader header;
        long bytes;
        try (InputStream in = source.open()) {
            header = NpyHeader.read(in);
            bytes = header.fileBytes();
        } catch (ZipException broken) {
            throw broken(source, broken);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidDatasetException("%s: %s".formatted(source.name(), invalid.getMessage()), invalid);
        }
        NpyArray array = new NpyArray(source, header);
        if (bytes > source.mostBytes()) {
            throw array.invalid("its shape %s of %s takes %,d bytes with the header; the file has %,d at most"
                    .formatted(header.shape(), header.type(), bytes, source.mostBytes()));
        }
        return array;
    }

    /** Takes the elements of an array. */
    @FunctionalInterface
    interface Elements {

        /**
         * Takes an element.
         *
         * @param sample first index
         * @param place  the others, the last being the fastest whatever the order of the file
         */
        void take(int sample, int place, double value) throws IOException;
    }

    /** Returns the sides. */
    List<Long> shape() {
        return header.shape();
    }

    /**
     * Reads the elements, in the order of the file.
     *
     * @param samples first side
     * @param sides   the others
     * @throws InvalidDatasetException if there are fewer or more than the header states
     */
    void read(int samples, List<Integer> sides, Elements elements) throws IOException {
        int width = sides.stream().reduce(1, Math::multiplyExact);
        long count = (long) samples * width;
        int[] places = header.isFortran() ? placesOfFortran(sides, width) : new int[0];
        try (InputStream in = source.open()) {
            in.skipNBytes(header.bytes());
            byte[] bytes = new byte[BUFFER_BYTES];
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(header.type().order());
            int size = header.type().bytes();
            long first = 0;
            while (first < count) {
                int wanted = (int) Math.min(BUFFER_BYTES / size, count - first);
                int read = in.readNBytes(bytes, 0, wanted * size);
                if (read < wanted * size) {
                    throw invalid("it ends after %,d of its %,d elements".formatted(first + read / size, count));
                }
                for (int i = 0; i < wanted; i++) {
                    long element = first + i;
                    double value = header.type().read(buffer, i * size);
                    if (header.isFortran()) {
                        elements.take((int) (element % samples), places[(int) (element / samples)], value);
                    } else {
                        elements.take((int) (element / width), (int) (element % width), value);
                    }
                }
                first += wanted;
            }
            if (in.read() >= 0) {
                throw invalid("there are bytes behind the %,d elements of its shape %s".formatted(count, shape()));
            }
        } catch (ZipException | EOFException broken) {
            throw broken(source, broken);
        }
    }

    /** Returns where the elements of a sample are, in the order in which a file of Fortran's has them. */
    private static int[] placesOfFortran(List<Integer> sides, int width) {
        int[] places = new int[width];
        for (int i = 0; i < width; i++) {
            int rest = i;
            int place = 0;
            int stride = width;
            for (int side : sides) {
                stride /= side;
                place += rest % side * stride;
                rest /= side;
            }
            places[i] = place;
        }
        return places;
    }

    /** Makes an exception for the array. */
    InvalidDatasetException invalid(String detail) {
        return new InvalidDatasetException("%s: %s".formatted(source.name(), detail));
    }

    /** Makes an exception for an element. */
    InvalidDatasetException invalid(int sample, int place, String detail) {
        StringBuilder index = new StringBuilder();
        int rest = place;
        for (int i = shape().size() - 1; i > 0; i--) {
            int side = Math.toIntExact(shape().get(i));
            index.insert(0, ", " + rest % side);
            rest /= side;
        }
        return invalid("element [%d%s] %s".formatted(sample, index, detail));
    }

    private static InvalidDatasetException broken(ArraySource source, IOException broken) {
        return new InvalidDatasetException(
                "%s: the file ends early or is broken: %s".formatted(source.name(), broken.getMessage()), broken);
    }
}
