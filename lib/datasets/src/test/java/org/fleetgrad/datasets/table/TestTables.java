package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;

/** Small tables for tests. */
public final class TestTables {

    private TestTables() {}

    /** Reads a table as a user would, with kinds such as {@code zip:category}. */
    public static TableDataset read(Path source, String target, String... columns) throws IOException {
        TableOptions options = TableOptions.of(List.of(target), List.of(columns), List.of());
        return (TableDataset) DatasetFolder.read(source, FolderOptions.NONE.withTable(options));
    }

    /** Reads a table of several labels. */
    static TableDataset readLabels(Path source, List<String> labels) throws IOException {
        TableOptions options = TableOptions.of(labels, List.of(), List.of());
        return (TableDataset) DatasetFolder.read(source, FolderOptions.NONE.withTable(options));
    }

    /** Reads a table of which another share than a tenth is held out. */
    static TableDataset readHoldingOut(Path source, String target, double share) throws IOException {
        FolderOptions options = new FolderOptions(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                TableOptions.of(List.of(target), List.of(), List.of()),
                OptionalDouble.of(share),
                PictureOptions.NONE);
        return (TableDataset) DatasetFolder.read(source, options);
    }

    /** Returns the training rows of a small table, which are in memory. */
    static TableSamples train(TableDataset dataset) {
        return (TableSamples) dataset.train();
    }

    /** Writes lines, which {@code ;} separates. */
    public static Path write(Path folder, String name, String lines) throws IOException {
        return Files.write(folder.resolve(name), (lines.replace(';', '\n') + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static Path writePacked(Path folder, String name, String lines) throws IOException {
        Path file = folder.resolve(name);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((lines.replace(';', '\n') + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** Returns the rows with their targets in the end, in the order of their targets. */
    static List<float[]> sorted(TableSamples samples) {
        List<float[]> rows = new ArrayList<>();
        for (int i = 0; i < samples.count(); i++) {
            float[] row = Arrays.copyOfRange(samples.values(), i * samples.width(), (i + 1) * samples.width() + 1);
            row[samples.width()] = samples.targets()[i];
            rows.add(row);
        }
        rows.sort((one, other) -> Float.compare(one[samples.width()], other[samples.width()]));
        return rows;
    }
}
