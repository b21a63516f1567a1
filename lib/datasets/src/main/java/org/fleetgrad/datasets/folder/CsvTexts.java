package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
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
 * The texts and labels of a CSV file (RFC 4180) in UTF-8, plain or {@code .gz}. Its first line names the columns "label" and "text", in
 * any order, and perhaps others, which are left out.
 *
 * @param file   their file
 * @param lines  the line in which each begins
 * @param labels of each
 * @param texts  each
 */
record CsvTexts(Path file, List<Integer> lines, List<String> labels, List<String> texts) {

    /** Most bytes of a file, unpacked. */
    static final int MOST_BYTES = 1 << 27;

    private static final String LABEL = "label";
    private static final String TEXT = "text";
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int SHOWN_CHARACTERS = 40;

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

    /**
     * Reads a file.
     *
     * @throws InvalidDatasetException if it breaks a rule; the message has the line and the numbers
     */
    static CsvTexts read(Path file) throws IOException {
        List<Integer> lines = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(new StringReader(decoded(file)), FORMAT)) {
            for (String column : List.of(LABEL, TEXT)) {
                if (!parser.getHeaderMap().containsKey(column)) {
                    throw new InvalidDatasetException(
                            "%s: line 1 must name the columns label and text, such as label,text; there is no '%s' in %s; a table is read with --target COLUMN"
                                    .formatted(file, column, shown(String.join(",", parser.getHeaderNames()))));
                }
            }
            long line = parser.getCurrentLineNumber() + 1;
            for (CSVRecord row : parser) {
                if (!isEmpty(row)) {
                    lines.add(Math.toIntExact(line));
                    labels.add(field(file, line, row, LABEL));
                    texts.add(field(file, line, row, TEXT));
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
            throw new InvalidDatasetException("%s has no texts, only the names of columns".formatted(file));
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

    private static byte[] unpacked(Path file) throws IOException {
        long size = Files.size(file);
        boolean isPacked = file.toString().endsWith(".gz");
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
