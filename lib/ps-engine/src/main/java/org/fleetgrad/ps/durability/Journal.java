package org.fleetgrad.ps.durability;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.files.DurableFolder;

/** The folder of a journal's segments, whose numbers have no gap. */
final class Journal {

    private static final Pattern NAME = Pattern.compile("segment-(\\d{6,9})\\.journal");

    private final Path folder;

    Journal(Path folder) throws IOException {
        DurableFolder.create(folder);
        this.folder = folder;
    }

    /** Returns the segments' numbers, in order. */
    List<Integer> numbers() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(matcher -> Integer.valueOf(matcher.group(1)))
                    .sorted()
                    .toList();
        }
    }

    Optional<Integer> last() throws IOException {
        return numbers().stream().reduce((earlier, later) -> later);
    }

    /** Creates a segment that survives a crash. */
    JournalSegment create(JournalSegment.Header header) throws IOException {
        JournalSegment segment = JournalSegment.create(file(header.number()), header);
        try {
            forceFolder();
        } catch (IOException failed) {
            segment.close();
            delete(header.number());
            throw failed;
        }
        return segment;
    }

    JournalReader read(int number) throws IOException {
        return new JournalReader(file(number));
    }

    /** Truncates a segment after its last complete entry. */
    void cut(int number, long end) throws IOException {
        try (FileChannel channel = FileChannel.open(file(number), WRITE)) {
            channel.truncate(end);
            channel.force(true);
        }
    }

    void delete(int number) throws IOException {
        Files.deleteIfExists(file(number));
    }

    /** Deletes the segments before {@code first}. */
    void deleteBefore(int first) throws IOException {
        for (int number : numbers()) {
            if (number < first) {
                delete(number);
            }
        }
    }

    Path file(int number) {
        return folder.resolve("segment-%06d.journal".formatted(number));
    }

    private void forceFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, READ)) {
            channel.force(true);
        }
    }
}
