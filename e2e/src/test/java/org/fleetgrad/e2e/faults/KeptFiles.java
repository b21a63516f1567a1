package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of a server's run, for a test to damage. */
record KeptFiles(Path folder) {

    /** Of the frame before an entry, in which the entry's length comes after the segment's marker. */
    private static final int FRAME_BYTES = 24;

    private static final int LENGTH_AT = 8;

    /** Returns the journal's segments, oldest first. */
    List<Path> segments() throws IOException {
        return sorted(folder.resolve("journal"), "segment-");
    }

    Path lastSegment() throws IOException {
        List<Path> segments = segments();
        return segments.get(segments.size() - 1);
    }

    /** Returns the checkpoints' folders, oldest first. */
    List<Path> checkpoints() throws IOException {
        return sorted(folder, "checkpoint-").stream()
                .filter(checkpoint -> Files.exists(checkpoint.resolve("manifest.json")))
                .toList();
    }

    Path newestCheckpoint() throws IOException {
        List<Path> checkpoints = checkpoints();
        return checkpoints.get(checkpoints.size() - 1);
    }

    private static List<Path> sorted(Path in, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the position of each entry of a segment, without the header, and the end of the last. */
    static List<Integer> entries(Path segment) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> entries = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += FRAME_BYTES + bytes.getInt(at + LENGTH_AT)) {
            entries.add(at);
        }
        entries.add(bytes.limit());
        return entries.subList(1, entries.size());
    }

    static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x10;
        Files.write(file, bytes);
    }

    void copyTo(Path target) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = target.resolve(folder.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }
}
