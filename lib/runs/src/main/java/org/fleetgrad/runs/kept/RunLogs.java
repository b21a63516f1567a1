package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.files.text.Printable;

/**
 * The logs of a run's programs, in {@code logs} of its folder, read from where the last read ended. What is read is bounded, and each
 * line printable. Confined to one thread.
 */
public final class RunLogs {

    private static final String ENDING = ".log";
    private static final int MOST_BYTES = 256 << 10;
    private static final int LONGEST_LINE = 4096;

    private final Path folder;
    private final Map<String, Long> positions = new TreeMap<>();

    public RunLogs(KeptRun run) {
        this.folder = run.folder().resolve("logs");
    }

    /** Returns the names of the programs that have a log, in the order of the alphabet. */
    public List<String> programs() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Printable.text(name).equals(name)) {
                    names.add(name.substring(0, name.length() - ENDING.length()));
                }
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /**
     * Returns the last lines of a program's log; later calls of {@link #next} continue behind them.
     *
     * @param program one of {@link #programs}
     */
    public List<String> last(String program, int count) throws IOException {
        List<String> lines = read(program, true);
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    /** Returns the lines that a program's log has got since the last call; an incomplete one waits for its end. */
    public List<String> next(String program) throws IOException {
        return read(program, false);
    }

    private List<String> read(String program, boolean isAtEnd) throws IOException {
        Path file = folder.resolve(program + ENDING);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            long length = opened.length();
            long begin = isAtEnd ? Math.max(0, length - MOST_BYTES) : positions.getOrDefault(program, 0L);
            // A program that was started again begins its log anew.
            begin = begin > length ? 0 : begin;
            opened.seek(begin);
            byte[] bytes = new byte[(int) Math.min(MOST_BYTES, length - begin)];
            opened.readFully(bytes);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            // The last line of a program that has ended may lack its end, and a line may be longer than what is read.
            boolean isEndless = bytes.length == MOST_BYTES && end == 0;
            end = isAtEnd || isEndless ? bytes.length : end;
            positions.put(program, begin + end);
            return lines(new String(bytes, 0, end, StandardCharsets.UTF_8));
        }
    }

    private static List<String> lines(String text) {
        return text.lines().map(line -> Printable.text(line, LONGEST_LINE)).toList();
    }
}
