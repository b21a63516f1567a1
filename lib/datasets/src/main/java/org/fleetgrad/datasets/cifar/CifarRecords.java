package org.fleetgrad.datasets.cifar;

import java.io.IOException;
import java.io.InputStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;

/** A split that is being read, record by record, into arrays of its exact size. Confined to one thread. */
final class CifarRecords {

    private static final long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    private final CifarFormat format;
    private final byte[] images;
    private final byte[] labels;

    /** Allocates memory for {@code count} records, which are known to exist. */
    CifarRecords(CifarFormat format, String source, long count) throws InvalidDatasetException {
        if (count == 0 || count * CifarFormat.IMAGE_BYTES > MAX_ARRAY_BYTES) {
            throw new InvalidDatasetException("%s has %d records; a split has 1 to %d"
                    .formatted(source, count, MAX_ARRAY_BYTES / CifarFormat.IMAGE_BYTES));
        }
        this.format = format;
        this.images = new byte[(int) count * CifarFormat.IMAGE_BYTES];
        this.labels = new byte[(int) count];
    }

    /** Returns how many records a file of {@code bytes} has. */
    static long count(CifarFormat format, String source, long bytes) throws InvalidDatasetException {
        if (bytes == 0 || bytes % format.recordBytes() != 0) {
            throw new InvalidDatasetException(
                    "%s has %d bytes (uncompressed), which are not a whole number of records of %s, %d bytes each: %d bytes are left over"
                            .formatted(
                                    source,
                                    bytes,
                                    format.datasetName(),
                                    format.recordBytes(),
                                    bytes % format.recordBytes()));
        }
        return bytes / format.recordBytes();
    }

    /** Reads {@code count} records, and stores them from index {@code first} on. Does not close the stream. */
    void read(String source, InputStream in, int first, long count) throws IOException {
        byte[] before = new byte[format.labelBytes()];
        for (int i = 0; i < count; i++) {
            int read = in.readNBytes(before, 0, before.length);
            int at = (first + i) * CifarFormat.IMAGE_BYTES;
            read += in.readNBytes(images, at, CifarFormat.IMAGE_BYTES);
            if (read < format.recordBytes()) {
                throw new InvalidDatasetException("%s is truncated: record %d of %d has %d of %d bytes"
                        .formatted(source, i, count, read, format.recordBytes()));
            }
            int label = Byte.toUnsignedInt(before[before.length - 1]);
            if (label >= format.classes().size()) {
                throw new InvalidDatasetException("%s: record %d has the label %d, %s has %d classes"
                        .formatted(
                                source,
                                i,
                                label,
                                format.datasetName(),
                                format.classes().size()));
            }
            labels[first + i] = (byte) label;
        }
        if (in.read() >= 0) {
            throw new InvalidDatasetException(
                    "%s has bytes after its %d records of %d bytes".formatted(source, count, format.recordBytes()));
        }
    }

    ImageSamples samples() {
        return new ImageSamples(CifarFormat.CHANNELS, CifarFormat.SIZE, CifarFormat.SIZE, images, labels);
    }
}
