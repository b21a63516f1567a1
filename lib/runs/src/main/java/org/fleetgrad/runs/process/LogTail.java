package org.fleetgrad.runs.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of a program's log, however long the log is. It need not be UTF-8: libraries and the JVM write to it, too. */
public final class LogTail {

    private static final int MOST_BYTES = 1 << 20;

    private LogTail() {}

    /**
     * Returns the last lines that are not blank: a service that refuses to start says why above blank lines.
     *
     * @param most how many, at most
     */
    public static List<String> lines(Path log, int most) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(log)) {
            channel.position(Math.max(0, channel.size() - MOST_BYTES));
            ByteBuffer end = ByteBuffer.allocate((int) Math.min(MOST_BYTES, channel.size() - channel.position()));
            int read = 0;
            while (read >= 0 && end.hasRemaining()) {
                read = channel.read(end);
            }
            List<String> lines = StandardCharsets.UTF_8
                    .decode(end.flip())
                    .toString()
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.subList(Math.max(0, lines.size() - most), lines.size());
        }
    }
}
