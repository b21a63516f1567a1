package org.fleetgrad.datasets.cifar;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;

/**
 * The archive in which a dataset is published, read directly: nothing is extracted. The last part of an entry's name is
 * compared with the official names, and no name in the archive becomes a path.
 */
public final class CifarArchive {

    private static final int BUFFER_BYTES = 1 << 16;

    private final CifarFormat format;
    private final Path file;

    /** Names an archive; reads nothing yet. */
    public CifarArchive(CifarFormat format, Path file) {
        this.format = format;
        this.file = file;
    }

    /** Called for each regular file of the archive. */
    private interface Visitor {

        void visit(String name, long bytes, InputStream content) throws IOException;
    }

    /**
     * Reads the training records, in the order of the official files.
     *
     * @throws InvalidDatasetException if the archive is broken, or lacks a file, or a file is broken
     */
    public ImageSamples train() throws IOException {
        return read(format.trainFiles());
    }

    /**
     * Reads the test records.
     *
     * @throws InvalidDatasetException if the archive is broken, or lacks the file, or the file is broken
     */
    public ImageSamples test() throws IOException {
        return read(List.of(format.testFile()));
    }

    private ImageSamples read(List<String> wanted) throws IOException {
        Map<String, Long> sizes = sizes(wanted);
        Map<String, Integer> firsts = new HashMap<>();
        long total = 0;
        for (String name : wanted) {
            Long bytes = sizes.get(name);
            if (bytes == null) {
                throw new InvalidDatasetException(
                        "%s has no file %s; of %s it has %s".formatted(file, name, wanted, sizes.keySet()));
            }
            firsts.put(name, Math.toIntExact(total));
            total += CifarRecords.count(format, source(name), bytes);
        }
        CifarRecords records = new CifarRecords(format, file.toString(), total);
        visit((name, bytes, content) -> {
            Integer first = firsts.get(name);
            if (first != null) {
                records.read(source(name), content, first, bytes / format.recordBytes());
            }
        });
        return records.samples();
    }

    /** Finds the sizes by reading all content, so that a truncated entry is found before memory is allocated. */
    private Map<String, Long> sizes(List<String> wanted) throws IOException {
        Map<String, Long> sizes = new HashMap<>();
        byte[] chunk = new byte[BUFFER_BYTES];
        visit((name, bytes, content) -> {
            if (!wanted.contains(name)) {
                return;
            }
            long seen = 0;
            for (int read = content.read(chunk); read >= 0; read = content.read(chunk)) {
                seen += read;
            }
            if (seen != bytes || sizes.put(name, bytes) != null) {
                throw new InvalidDatasetException("%s occurs twice, or has %d of the %d bytes that the archive states"
                        .formatted(source(name), seen, bytes));
            }
        });
        return sizes;
    }

    private void visit(Visitor visitor) throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
                TarArchiveInputStream tar = new TarArchiveInputStream(
                        new BufferedInputStream(new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile() && !entry.isLink() && !entry.isSymbolicLink() && !entry.isSparse()) {
                    String name = entry.getName();
                    visitor.visit(name.substring(name.lastIndexOf('/') + 1), entry.getSize(), tar);
                }
            }
        } catch (InvalidDatasetException invalid) {
            throw invalid;
        } catch (IOException | IllegalArgumentException broken) {
            throw new InvalidDatasetException(
                    "%s is not a complete tar.gz file: %s".formatted(file, broken.getMessage()), broken);
        }
    }

    private String source(String name) {
        return "%s in %s".formatted(name, file);
    }
}
