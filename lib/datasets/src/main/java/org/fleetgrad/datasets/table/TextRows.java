package org.fleetgrad.datasets.table;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a text file: RFC 4180 with a comma or a tab between fields. Its first line names the columns. Lines without a character
 * are left out. What is in memory is one row. Not thread-safe.
 */
final class TextRows implements TableRows {

    /** Most characters of a row. */
    static final int MOST_ROW_CHARACTERS = 1 << 24;

    /** Most lines without a character: a gzip file of a few megabytes could have billions. */
    static final int MOST_BLANK_LINES = 1 << 20;

    private static final char QUOTE = '"';

    private final Path file;
    private final Utf8Characters in;
    private final char delimiter;
    private List<String> header = List.of();

    private char[] text = new char[1 << 10];
    private int length;
    private int[] ends = new int[16];
    private int fields;
    private int most = MOST_COLUMNS;
    private int blankLines;
    private long line = 1;
    private long rowLine = 1;

    private TextRows(Path file, Utf8Characters in, char delimiter) {
        this.file = file;
        this.in = in;
        this.delimiter = delimiter;
    }

    /**
     * Opens a file and reads the names of its columns.
     *
     * @throws InvalidDatasetException if they break a rule
     */
    static TextRows open(Path file, CountedReading count) throws IOException {
        try {
            Utf8Characters in = new Utf8Characters(TableFiles.stream(file, count));
            TextRows rows = new TextRows(file, in, TableFiles.delimiter(file));
            try {
                rows.header = rows.readHeader();
                rows.most = rows.header.size();
                return rows;
            } catch (IOException | RuntimeException failed) {
                in.close();
                throw failed;
            }
        } catch (CharacterCodingException malformed) {
            throw new InvalidDatasetException("%s is not UTF-8: %s".formatted(file, malformed.getMessage()), malformed);
        } catch (ZipException | EOFException torn) {
            throw new InvalidDatasetException(
                    "%s: the gzip file ends early or is broken: %s".formatted(file, torn.getMessage()), torn);
        }
    }

    private List<String> readHeader() throws IOException {
        if (!next()) {
            throw new InvalidDatasetException("%s is empty; its first line must name the columns".formatted(file));
        }
        List<String> names = IntStream.range(0, fields).mapToObj(this::get).toList();
        ColumnNames.require(names, (column, detail) -> broken(rowLine, column, detail, null));
        return names;
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public String position() {
        return "line %d".formatted(rowLine);
    }

    @Override
    public String place() {
        return "%s, line %d,".formatted(file.getFileName(), rowLine);
    }

    @Override
    public String get(int column) {
        int from = column == 0 ? 0 : ends[column - 1];
        int to = ends[column];
        while (from < to && text[from] <= ' ') {
            from++;
        }
        while (from < to && text[to - 1] <= ' ') {
            to--;
        }
        return new String(text, from, to - from);
    }

    @Override
    public boolean next() throws IOException {
        try {
            while (in.peek() != Utf8Characters.END) {
                rowLine = line;
                if (!readRow()) {
                    if (++blankLines > MOST_BLANK_LINES) {
                        throw broken(
                                rowLine, 0, "it is one of more than %,d blank lines".formatted(MOST_BLANK_LINES), null);
                    }
                    continue;
                }
                if (fields < header.size()) {
                    throw broken(
                            rowLine,
                            fields,
                            "the row has %d fields, line 1 names %d columns".formatted(fields, header.size()),
                            null);
                }
                return true;
            }
            return false;
        } catch (CharacterCodingException malformed) {
            throw broken(line, fields, "it is not UTF-8: " + malformed.getMessage(), malformed);
        } catch (ZipException | EOFException torn) {
            throw broken(line, fields, "the gzip file ends early or is broken: " + torn.getMessage(), torn);
        }
    }

    /** Returns false if the line is blank. */
    private boolean readRow() throws IOException {
        fields = 0;
        length = 0;
        while (true) {
            int start = length;
            boolean isQuoted = in.peek() == QUOTE;
            int c = isQuoted ? readQuoted(start) : readPlain(start);
            if (fields == most) {
                throw broken(
                        line,
                        fields,
                        most == MOST_COLUMNS
                                ? "there are more than %,d columns, which is the most".formatted(most)
                                : "the row has more fields than the %,d columns that line 1 names".formatted(most),
                        null);
            }
            if (fields == ends.length) {
                ends = Arrays.copyOf(ends, Math.min(2 * fields, MOST_COLUMNS));
            }
            ends[fields++] = length;
            if (c == delimiter) {
                continue;
            }
            if (c == '\r' && in.peek() == '\n') {
                in.read();
            }
            line++;
            return fields > 1 || length > 0 || isQuoted;
        }
    }

    /** Reads a field without quotes; returns the character after it. */
    private int readPlain(int start) throws IOException {
        while (true) {
            int room = Math.min(text.length - length, MOST_FIELD_CHARACTERS - (length - start));
            length += in.take(delimiter, text, length, room);
            int c = in.read();
            if (c == delimiter || c == '\n' || c == '\r' || c == Utf8Characters.END) {
                return c;
            }
            append((char) c, start, 0);
        }
    }

    /** Reads a field in quotes; returns the character after it. */
    private int readQuoted(int start) throws IOException {
        long first = line;
        in.read();
        while (true) {
            int c = in.read();
            if (c == Utf8Characters.END) {
                throw broken(first, fields, "the quote that begins here never ends", null);
            }
            if (c == QUOTE) {
                int after = in.read();
                if (after != QUOTE) {
                    if (after != delimiter && after != '\n' && after != '\r' && after != Utf8Characters.END) {
                        throw broken(
                                line,
                                fields,
                                "after the closing quote is '%s'; a quote in quotes is written twice"
                                        .formatted(Printable.text(Character.toString(after))),
                                null);
                    }
                    return after;
                }
            }
            line += c == '\n' ? 1 : 0;
            append((char) c, start, first);
        }
    }

    private void append(char c, int start, long quotedSince) throws InvalidDatasetException {
        if (c == 0) {
            throw broken(line, fields, "there is a NUL; a table is text", null);
        }
        if (length - start == MOST_FIELD_CHARACTERS) {
            throw broken(
                    quotedSince == 0 ? line : quotedSince,
                    fields,
                    "the field has more than %,d characters, which is the most%s"
                            .formatted(
                                    MOST_FIELD_CHARACTERS,
                                    quotedSince == 0 ? "" : "; it begins with a quote, which may never end"),
                    null);
        }
        if (length == MOST_ROW_CHARACTERS) {
            throw broken(
                    line,
                    fields,
                    "the row has more than %,d characters, which is the most".formatted(MOST_ROW_CHARACTERS),
                    null);
        }
        if (length == text.length) {
            text = Arrays.copyOf(text, Math.min(2 * length, MOST_ROW_CHARACTERS));
        }
        text[length++] = c;
    }

    @Override
    public InvalidDatasetException broken(int column, String detail) {
        return broken(rowLine, column, detail, null);
    }

    private InvalidDatasetException broken(long at, int column, String detail, @Nullable Throwable cause) {
        String name = column < header.size() ? header.get(column) : "";
        String message = "%s: line %d, column %d%s: %s"
                .formatted(
                        file, at, column + 1, name.isEmpty() ? "" : " ('%s')".formatted(Printable.text(name)), detail);
        return cause == null ? new InvalidDatasetException(message) : new InvalidDatasetException(message, cause);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
