package org.fleetgrad.benchmarks.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.files.AtomicFile;

/** The part of a page that a command writes, between two marker lines; the text around it is kept. */
public record MarkedPart(String begin, String end) {

    /** Puts {@code content} between the marker lines of a page; creates a missing page from the part alone. */
    public void replace(Path page, String content) throws IOException {
        String before = Files.exists(page) ? Files.readString(page) : begin + "\n" + end + "\n";
        int from = before.indexOf(begin);
        int to = before.indexOf(end);
        if (from < 0 || to < from) {
            throw new IOException("%s does not have the lines '%s' and '%s', between which the table belongs"
                    .formatted(page, begin, end));
        }
        String after = before.substring(0, from) + begin + "\n\n" + content + "\n" + before.substring(to);
        AtomicFile.write(page, after.getBytes(StandardCharsets.UTF_8));
    }
}
