package org.fleetgrad.runs.curves;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * {@code curves.csv} (RFC 4180, without quotes, since no cell needs them): one line a row, in UTF-8, with the names of
 * {@link #HEAD} above them. A cell without a value is empty. Confined to one thread.
 */
final class CurveTable implements CurveFile {

    /** The first line. */
    static final String HEAD = head();

    private static final int LONGEST_HEAD = 4096;
    private static final double MILLIS = 1000;

    private final Path path;
    private final FileChannel channel;

    private CurveTable(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Opens a file.
     *
     * @param isContinuing whether the rows of an existing table are retained. A table of other columns, which an older build wrote, is
     *     moved aside
     */
    static CurveTable open(Path file, boolean isContinuing) throws IOException {
        boolean isAppending = isContinuing && isTable(file);
        if (isContinuing && !isAppending && Files.exists(file)) {
            Files.move(file, unusedBeside(file));
        }
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                isAppending ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING);
        CurveTable table = new CurveTable(file, channel);
        if (!isAppending) {
            table.line(HEAD);
        } else if (!endsWithLine(file)) {
            // A killed run may have left an incomplete line.
            table.line("");
        }
        return table;
    }

    /** Returns the first of {@code curves-1.csv}, {@code curves-2.csv} and so on that is not there. */
    private static Path unusedBeside(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        int number = 1;
        Path beside;
        do {
            beside = file.resolveSibling("%s-%d%s".formatted(name.substring(0, dot), number, name.substring(dot)));
            number++;
        } while (Files.exists(beside));
        return beside;
    }

    private static String head() {
        List<String> names = new ArrayList<>(List.of("time", "seconds", "version"));
        Curve.TRAINING.forEach(curve -> names.add(curve.tag()));
        names.add("heldout/version");
        Curve.HELD_OUT.forEach(curve -> names.add(curve.tag()));
        return String.join(",", names);
    }

    private static boolean isTable(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST_HEAD), StandardCharsets.UTF_8).startsWith(HEAD + "\n");
        }
    }

    private static boolean endsWithLine(Path file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            opened.seek(opened.length() - 1);
            return opened.read() == '\n';
        }
    }

    @Override
    public void begin(CurveRow first) {
        // The lines themselves show that the version decreases.
    }

    @Override
    public void add(CurveRow row) throws IOException {
        List<String> cells = new ArrayList<>(List.of(
                number(OptionalDouble.of(row.time().toEpochMilli() / MILLIS)),
                number(OptionalDouble.of(row.seconds())),
                Long.toString(row.version())));
        Curve.TRAINING.forEach(curve -> cells.add(number(curve.in(row))));
        cells.add(row.heldOut().map(held -> Long.toString(held.version())).orElse(""));
        Curve.HELD_OUT.forEach(curve -> cells.add(number(curve.in(row))));
        line(String.join(",", cells));
    }

    /** Writes a number with all its digits and without an exponent, which not every spreadsheet reads. */
    private static String number(OptionalDouble value) {
        if (value.isEmpty()) {
            return "";
        }
        double present = value.getAsDouble();
        if (!Double.isFinite(present)) {
            return Double.toString(present);
        }
        return BigDecimal.valueOf(present).stripTrailingZeros().toPlainString();
    }

    /** In one write, so that a reader sees complete lines. */
    private void line(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
