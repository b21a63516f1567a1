package org.fleetgrad.datasets.table;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;

/**
 * The files of a table, which have the same columns.
 *
 * @param training those that are trained on, in the order of their names
 * @param heldOut  the one that is held out, or none: then some rows of the others are
 * @param header   the names of their columns
 */
record TableFiles(List<Path> training, List<Path> heldOut, List<String> header) {

    private static final Set<String> HELD_OUT = Set.of("test", "val", "valid", "validation");
    private static final String PARQUET = ".parquet";
    private static final String SUFFIX = "\\.(parquet|(csv|tsv)(\\.gz)?)";
    private static final Pattern NAME = Pattern.compile("(?s).+" + SUFFIX);
    private static final int BUFFER_BYTES = 1 << 16;

    TableFiles {
        training = List.copyOf(training);
        heldOut = List.copyOf(heldOut);
        header = List.copyOf(header);
    }

    /** Returns whether a file is one of a table, by its name. */
    static boolean isTable(Path file) {
        Path name = file.getFileName();
        return name != null && NAME.matcher(name.toString()).matches();
    }

    /**
     * Finds the files of a table and reads the names of their columns.
     *
     * @param source a file, or a folder of them
     * @throws NoSuchFileException     if there is none
     * @throws InvalidDatasetException if two have different columns, or two are held out, or none is left to train on
     */
    static TableFiles of(Path source) throws IOException {
        List<Path> all = Files.isDirectory(source) ? list(source) : List.of(source);
        if (all.isEmpty() || !isTable(all.get(0)) || !Files.isRegularFile(all.get(0))) {
            throw new NoSuchFileException(
                    source.toString(),
                    null,
                    "a table is a .csv or .tsv file, plain or .gz, or a .parquet file, or a folder of such files; this is none"
                            + (source.toString().endsWith(PARQUET + ".gz")
                                    ? ": Parquet packs its own pages, so unpack the file (gunzip)"
                                    : ""));
        }
        List<Path> heldOut = all.size() == 1
                ? List.of()
                : all.stream().filter(file -> HELD_OUT.contains(stem(file))).toList();
        List<Path> training =
                all.stream().filter(file -> !heldOut.contains(file)).toList();
        if (training.isEmpty() || heldOut.size() > 1) {
            throw new InvalidDatasetException(
                    "%s: at most one file, such as test.csv or val.csv, can be held out, and others are trained on; there are %d and %d: %s"
                            .formatted(source, heldOut.size(), training.size(), all));
        }
        requireOnce(training);
        return new TableFiles(
                training,
                heldOut,
                header(Stream.concat(training.stream(), heldOut.stream()).toList()));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> Files.isRegularFile(file) && isTable(file))
                    .sorted()
                    .toList();
        }
    }

    /** Unpacking a file leaves the packed one beside it: its rows would count twice. */
    private static void requireOnce(List<Path> files) throws InvalidDatasetException {
        Map<String, Path> known = new HashMap<>();
        for (Path file : files) {
            Path same = known.put(stem(file), file);
            if (same != null) {
                throw new InvalidDatasetException(
                        "the same rows may be in %s and %s; keep one of the two".formatted(same, file));
            }
        }
    }

    private static List<String> header(List<Path> files) throws IOException {
        List<String> header = new ArrayList<>();
        for (Path file : files) {
            try (TableRows rows = open(file, CountedReading.none())) {
                if (file.equals(files.get(0))) {
                    header.addAll(rows.header());
                } else if (!rows.header().equals(header)) {
                    throw new InvalidDatasetException(
                            "%s: %s names %d columns, %s has %d, and files of one table have the same; first different: %s"
                                    .formatted(
                                            file,
                                            isParquet(file) ? "its footer" : "line 1",
                                            rows.header().size(),
                                            files.get(0),
                                            header.size(),
                                            difference(rows.header(), header)));
                }
            }
        }
        return header;
    }

    private static String difference(List<String> own, List<String> first) {
        int at = 0;
        while (at < Math.min(own.size(), first.size()) && own.get(at).equals(first.get(at))) {
            at++;
        }
        return "column %d, %s and %s".formatted(at + 1, nameAt(own, at), nameAt(first, at));
    }

    private static String nameAt(List<String> names, int at) {
        return at < names.size() ? "'%s'".formatted(Printable.text(names.get(at))) : "none";
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst(SUFFIX + "$", "");
    }

    private static boolean isParquet(Path file) {
        return file.toString().endsWith(PARQUET);
    }

    /** Opens a file before its first row. */
    private static TableRows open(Path file, CountedReading count) throws IOException {
        return isParquet(file) ? Library.open(file, count) : TextRows.open(file, count);
    }

    /** Looked for when the first file is opened. */
    private static final class Library {

        private static final Optional<ParquetLibrary> FOUND = ServiceLoader.load(
                        ParquetLibrary.class, ParquetLibrary.class.getClassLoader())
                .findFirst();

        static TableRows open(Path file, CountedReading count) throws IOException {
            ParquetLibrary library = FOUND.orElseThrow(() -> new InvalidDatasetException(
                    "%s cannot be read by this program, which has no library for Parquet: give it shards"
                            .formatted(file)));
            TableRows rows = library.open(file, count::add);
            try {
                ColumnNames.require(rows.header(), rows::broken);
                return rows;
            } catch (IOException refused) {
                rows.close();
                throw refused;
            }
        }
    }

    /** Returns what is between two fields of a text file, by its name. */
    static char delimiter(Path file) {
        return file.getFileName().toString().matches("(?s).+\\.tsv(\\.gz)?") ? '\t' : ',';
    }

    /** Opens a text file, and unpacks it if it is packed. */
    static InputStream stream(Path file, CountedReading count) throws IOException {
        InputStream raw = count.counted(Files.newInputStream(file));
        if (!file.toString().endsWith(".gz")) {
            return raw;
        }
        try {
            return new GZIPInputStream(raw, BUFFER_BYTES);
        } catch (ZipException | EOFException broken) {
            raw.close();
            throw new InvalidDatasetException("%s is not gzip: %s".formatted(file, broken.getMessage()), broken);
        } catch (IOException failed) {
            raw.close();
            throw failed;
        }
    }

    /** Receives the rows of all files. */
    interface RowVisitor {

        /**
         * Receives a row.
         *
         * @param rows  at the row
         * @param index of the row among those of its part, training or held out
         * @throws IllegalArgumentException if a value is wrong; the message has its column
         */
        void visit(TableRows rows, long index, boolean isHeldOut) throws IOException;

        /** Is called before the rows of each file. */
        default void begin() {}
    }

    /**
     * Reads all rows, those of training files first.
     *
     * @throws InvalidDatasetException if a file breaks a rule, or the visitor refuses a row; the message has the line
     */
    void read(RowVisitor visitor, CountedReading count) throws IOException {
        readTraining(visitor, count);
        read(heldOut, true, visitor, count);
    }

    /**
     * Reads the rows of training files.
     *
     * @throws InvalidDatasetException as {@link #read}
     */
    void readTraining(RowVisitor visitor, CountedReading count) throws IOException {
        read(training, false, visitor, count);
    }

    private static void read(List<Path> files, boolean isHeldOut, RowVisitor visitor, CountedReading count)
            throws IOException {
        long index = 0;
        for (Path file : files) {
            visitor.begin();
            try (TableRows rows = open(file, count)) {
                while (rows.next()) {
                    try {
                        visitor.visit(rows, index++, isHeldOut);
                    } catch (IllegalArgumentException invalid) {
                        throw new InvalidDatasetException(
                                "%s: %s: %s".formatted(file, rows.position(), invalid.getMessage()), invalid);
                    }
                }
            }
        }
    }
}
