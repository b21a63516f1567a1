package org.fleetgrad.datasets.cifar;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;

/**
 * Reads a split from files of complete records, gzipped if their names end in {@code .gz}. A gzipped file is read twice: its
 * records are counted before memory is allocated for them.
 */
public final class CifarFiles {

    private static final int BUFFER_BYTES = 1 << 16;

    private CifarFiles() {}

    /**
     * Reads the records of all files, in the order of the list.
     *
     * @throws InvalidDatasetException if a file is truncated or too long, or a label has no class
     */
    public static ImageSamples read(CifarFormat format, List<Path> files) throws IOException {
        long[] counts = new long[files.size()];
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            Path file = files.get(i);
            counts[i] =
                    CifarRecords.count(format, file.toString(), isGzipped(file) ? inflated(file) : Files.size(file));
            total += counts[i];
        }
        CifarRecords records = new CifarRecords(format, files.toString(), total);
        int first = 0;
        for (int i = 0; i < counts.length; i++) {
            try (InputStream in = open(files.get(i))) {
                records.read(files.get(i).toString(), in, first, counts[i]);
            }
            first += (int) counts[i];
        }
        return records.samples();
    }

    private static boolean isGzipped(Path file) {
        return file.toString().endsWith(".gz");
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        if (!isGzipped(file)) {
            return in;
        }
        try {
            return new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES), BUFFER_BYTES);
        } catch (IOException broken) {
            in.close();
            throw broken;
        }
    }

    private static long inflated(Path file) throws IOException {
        byte[] chunk = new byte[BUFFER_BYTES];
        long bytes = 0;
        try (InputStream in = open(file)) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                bytes += read;
            }
            return bytes;
        } catch (ZipException | EOFException broken) {
            throw new InvalidDatasetException(
                    "%s is not a complete gzip file: after %d bytes of content, %s"
                            .formatted(file, bytes, broken.getMessage()),
                    broken);
        }
    }
}
