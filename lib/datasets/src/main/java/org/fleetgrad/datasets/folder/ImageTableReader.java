package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.image.ImageClasses;
import org.fleetgrad.datasets.image.ImageFiles;
import org.fleetgrad.files.text.Printable;

/**
 * Images that a CSV file names, each with its label: the columns {@code path} and {@code label}. A path begins at the file's folder and
 * stays below it.
 */
record ImageTableReader() implements DatasetReader {

    private static final String PATH = "path";

    @Override
    public String layout() {
        return "images of a table: a .csv or .csv.gz file in UTF-8 whose first line names the columns path and label, beside the images; test.csv"
                + " or val.csv is held out, or a tenth of each class";
    }

    /** Returns whether a file is such a table. */
    static boolean isTable(Path file) {
        if (!CsvReader.isCsv(file) || !Files.isRegularFile(file)) {
            return false;
        }
        List<String> columns = CsvTexts.columns(file);
        return columns.contains(PATH) && columns.contains(CsvTexts.LABEL) && !columns.contains(CsvTexts.TEXT);
    }

    /** Returns the tables in a folder. */
    static List<Path> tables(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(ImageTableReader::isTable).sorted().toList();
        }
    }

    /** Names of files alone do not say what a table is of. */
    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return false;
    }

    @Override
    public boolean resizes() {
        return true;
    }

    @Override
    public boolean holdsOut() {
        return true;
    }

    @Override
    public Dataset read(Path source, String name, FolderOptions options) throws IOException {
        CsvReader.Parts parts =
                CsvReader.Parts.of(source, Files.isRegularFile(source) ? List.of(source) : tables(source));
        CsvReader.requireNoHoldOut(parts, options);
        CsvTexts train = CsvTexts.read(parts.training(), PATH);
        Optional<CsvTexts> test = parts.heldOut().isEmpty()
                ? Optional.empty()
                : Optional.of(CsvTexts.read(parts.heldOut().get(), PATH));
        List<String> classes = CsvReader.classes(train, test);
        Map<Path, String> places = new HashMap<>();
        ImageFiles files = files(train, classes, places);
        Optional<ImageFiles> heldOut =
                test.isPresent() ? Optional.of(files(test.get(), classes, places)) : Optional.empty();
        ImageClasses images = ImageClasses.read(classes, files, heldOut, options.images());
        return new ImageDataset(name, images.classes(), images.train(), images.test(), images.notes());
    }

    /**
     * Finds the files of a table.
     *
     * @param places where each file was named so far; an image that is trained on must not be held out too
     */
    private static ImageFiles files(CsvTexts table, List<String> classes, Map<Path, String> places)
            throws InvalidDatasetException {
        List<Path> files = new ArrayList<>();
        int[] labels = new int[table.texts().size()];
        for (int i = 0; i < labels.length; i++) {
            Path file = file(table, i);
            String place =
                    "line %d of %s".formatted(table.lines().get(i), table.file().getFileName());
            String earlier = places.putIfAbsent(file.normalize(), place);
            if (earlier != null) {
                throw new InvalidDatasetException("%s: line %d names %s, as %s does: name each image once"
                        .formatted(
                                table.file(),
                                table.lines().get(i),
                                Printable.text(table.texts().get(i)),
                                earlier));
            }
            files.add(file);
            labels[i] = Collections.binarySearch(classes, table.labels().get(i));
        }
        return new ImageFiles(table.file(), files, labels);
    }

    private static Path file(CsvTexts table, int i) throws InvalidDatasetException {
        String text = table.texts().get(i);
        Path folder = table.file().toAbsolutePath().normalize().resolveSibling("");
        try {
            Path file = table.file().resolveSibling(text);
            if (file.toAbsolutePath().normalize().startsWith(folder)
                    && !Path.of(text).isAbsolute()) {
                return file;
            }
        } catch (InvalidPathException invalid) {
            throw new InvalidDatasetException(
                    "%s: line %d has '%s', which is not a path: %s"
                            .formatted(
                                    table.file(),
                                    table.lines().get(i),
                                    Printable.text(text),
                                    Printable.text(String.valueOf(invalid.getReason()))),
                    invalid);
        }
        throw new InvalidDatasetException(
                "%s: line %d has the path '%s', which leads out of the folder of the table; paths begin at that folder"
                        .formatted(table.file(), table.lines().get(i), Printable.text(text)));
    }
}
