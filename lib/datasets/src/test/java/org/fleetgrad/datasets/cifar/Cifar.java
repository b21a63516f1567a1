package org.fleetgrad.datasets.cifar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Tiny files of CIFAR's records for tests. */
public final class Cifar {

    private Cifar() {}

    /** Returns one record for each label; every byte of an image is its label + 1. */
    public static byte[] records(CifarFormat format, int... labels) {
        byte[] records = new byte[labels.length * format.recordBytes()];
        for (int i = 0; i < labels.length; i++) {
            int begin = i * format.recordBytes();
            Arrays.fill(records, begin, begin + format.recordBytes(), (byte) (labels[i] + 1));
            // The coarse label, if there is one, is not a fine one.
            records[begin] = (byte) 19;
            records[begin + format.labelBytes() - 1] = (byte) labels[i];
        }
        return records;
    }

    public static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    /** Writes files into one tar.gz, under the names of the map. */
    public static Path archive(Path file, Map<String, byte[]> entries) throws IOException {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(
                new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8.name())) {
            for (Map.Entry<String, byte[]> content : entries.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(content.getKey(), true);
                entry.setSize(content.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(content.getValue());
                tar.closeArchiveEntry();
            }
        }
        return file;
    }
}
