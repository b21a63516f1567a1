package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;

/**
 * The texts and labels of a CSV file (RFC 4180) in UTF-8, plain or {@code .gz}. Its first line names the columns "label" and "text", or
 * "path" in place of this, in any order, and perhaps others, which are left out.
 *
 * @param file   their file
 * @param lines  the line in which each begins
 * @param labels of each
 * @param texts  each
 */
record CsvTexts(Path file, List<Integer> lines, List<String> labels, List<String> texts) {

    /** Most bytes of a file, unpacked. */
    static final int MOST_BYTES = 1 << 27;

    /** The column of the labels. */
    static final String LABEL = "label";

    /** The column of texts. */
    static final String TEXT = "text";

    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int SHOWN_CHARACTERS = 40;

    /** Bytes in which the first line must end to be looked at before a file is read. */
    private static final int MOST_BYTES_OF_COLUMNS = 1 << 16;

    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .setDuplicateHeaderMode(DuplicateHeaderMode.ALLOW_EMPTY)
            // The column that pandas writes for its index has no name.
            .setAllowMissingColumnNames(true)
            // Read as rows and left out here: the parser does not say how many it left out, and messages have line
            // numbers.
            .setIgnoreEmptyLines(false)
            .get();

    CsvTexts {
        lines = List.copyOf(lines);
        labels = List.copyOf(labels);
        texts = List.copyOf(texts);
    }

    /** Returns the names of a file's columns, if it can be read so far: to find out what it is of. */
    static List<String> columns(Path file) {
        byte[] bytes;
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = isPacked(file) ? new GZIPInputStream(raw) : raw) {
            bytes = in.readNBytes(MOST_BYTES_OF_COLUMNS);
        } catch (IOException unreadable) {
            return List.of();
        }
        String first =
                new String(bytes, StandardCharsets.UTF_8).lines().findFirst().orElse("");
        String line = first.startsWith(String.valueOf(BYTE_ORDER_MARK)) ? first.substring(1) : first;
        try (CSVParser parser = CSVParser.parse(line, FORMAT)) {
            return parser.getHeaderNames();
        } catch (IOException | IllegalArgumentException malformed) {
            return List.of();
        }
    }

    /**
     * Reads a file.
     *
     * @param column the column of the texts
     * @throws InvalidDatasetException if it breaks a rule; the message has the line and the numbers
     */
    static CsvTexts read(Path file, String column) throws IOException {
        List<Integer> lines = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(new StringReader(decoded(file)), FORMAT)) {
            for (String needed : List.of(LABEL, column)) {
                if (!parser.getHeaderMap().containsKey(needed)) {
                    throw new InvalidDatasetException(
                            "%1$s: line 1 must name the columns label and %2$s, such as label,%2$s; there is no '%3$s' in %4$s; a table is read with --target COLUMN"
                                    .formatted(file, column, needed, shown(String.join(",", parser.getHeaderNames()))));
                }
            }
            long line = parser.getCurrentLineNumber() + 1;
            for (CSVRecord row : parser) {
                if (!isEmpty(row)) {
                    lines.add(Math.toIntExact(line));
                    labels.add(field(file, line, row, LABEL));
                    texts.add(field(file, line, row, column));
                }
                line = parser.getCurrentLineNumber() + 1;
            }
        } catch (UncheckedIOException malformed) {
            throw new InvalidDatasetException("%s is not CSV: %s".formatted(file, reason(malformed)), malformed);
        } catch (CSVException | IllegalArgumentException malformed) {
            throw new InvalidDatasetException(
                    "%s is not CSV: %s".formatted(file, Printable.text(String.valueOf(malformed.getMessage()))),
                    malformed);
        }
        if (texts.isEmpty()) {
            throw new InvalidDatasetException("%s has no %ss, only the names of columns".formatted(file, column));
        }
        return new CsvTexts(file, lines, labels, texts);
    }

    private static boolean isEmpty(CSVRecord row) {
        return row.size() == 1 && row.get(0).isEmpty();
    }

    private static String field(Path file, long line, CSVRecord row, String column) throws InvalidDatasetException {
        if (!row.isSet(column)) {
            throw new InvalidDatasetException(
                    "%s: line %d has %d columns, and no '%s'".formatted(file, line, row.size(), column));
        }
        String value = row.get(column);
        if (value.isBlank()) {
            throw new InvalidDatasetException("%s: line %d has an empty %s".formatted(file, line, column));
        }
        return value;
    }

    private static String reason(UncheckedIOException malformed) {
        Throwable cause = malformed.getCause() == null ? malformed : malformed.getCause();
        return Printable.text(String.valueOf(cause.getMessage()));
    }

    private static String shown(String text) {
        return Printable.text(
                text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : "'" + text + "'");
    }

    private static String decoded(Path file) throws IOException {
        byte[] bytes = unpacked(file);
        CharBuffer characters = Utf8.decode(file, bytes, at -> " in line " + lineOf(bytes, at));
        boolean isMarked = characters.hasRemaining() && characters.get(0) == BYTE_ORDER_MARK;
        return characters.subSequence(isMarked ? 1 : 0, characters.length()).toString();
    }

    private static int lineOf(byte[] bytes, int end) {
        int line = 1;
        for (int i = 0; i < end; i++) {
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    private static boolean isPacked(Path file) {
        return file.toString().endsWith(".gz");
    }

    private static byte[] unpacked(Path file) throws IOException {
        long size = Files.size(file);
        boolean isPacked = isPacked(file);
        if (!isPacked && size > MOST_BYTES) {
            throw new InvalidDatasetException("%s has %d bytes; the most is %d".formatted(file, size, MOST_BYTES));
        }
        byte[] bytes;
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = isPacked ? new GZIPInputStream(raw) : raw) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (ZipException broken) {
            throw new InvalidDatasetException("%s is not gzip: %s".formatted(file, broken.getMessage()), broken);
        }
        if (bytes.length > MOST_BYTES) {
            throw new InvalidDatasetException(
                    "%s has more than %d bytes, which is the most".formatted(file, MOST_BYTES));
        }
        return bytes;
    }
}
