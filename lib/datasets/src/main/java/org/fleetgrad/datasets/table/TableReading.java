package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.sampling.StratifiedSplit;
import org.fleetgrad.datasets.table.TableFiles.RowVisitor;

/**
 * Reads a table. The files are read three times: for the kinds of their columns, for the statistics of the training rows, and for
 * the values, which become float32 at once. So memory has the samples and one row, whatever the size of the files.
 */
public final class TableReading implements RowVisitor {

    private final TableSchema schema;
    private final TablePlaces places;
    private final int[] sources;
    private final int[] columnPlaces;
    private final int targetColumn;
    private final Rows training;
    private final Rows heldOut;

    private TableReading(TableSchema schema, TablePlaces places, TableFiles files, TableProfile profile) {
        this.schema = schema;
        this.places = places;
        this.sources = schema.columns().stream()
                .mapToInt(column -> files.header().indexOf(column.name()))
                .toArray();
        this.columnPlaces = schema.places();
        this.targetColumn = profile.targetColumn();
        this.training = new Rows(places.training(), schema.width());
        this.heldOut = new Rows(files.heldOut().isEmpty() ? places.heldOut() : profile.heldOut(), schema.width());
    }

    /** Returns whether a file is one of a table, by its name. */
    public static boolean isTable(Path file) {
        return TableFiles.isTable(file);
    }

    /**
     * Reads a table.
     *
     * @param source  a .csv or .tsv file, plain or .gz, or a folder of them
     * @param name    of the dataset
     * @param options target and columns; there is a target
     * @param holdOut share of the rows, of each class, that is held out if no file is; a tenth if it is absent
     * @throws InvalidDatasetException  if a file breaks a rule; the message has the line and the column
     * @throws IllegalArgumentException if what is in it breaks a rule
     */
    public static TableDataset read(Path source, String name, TableOptions options, OptionalDouble holdOut)
            throws IOException {
        TableFiles files = TableFiles.of(source);
        if (holdOut.isPresent() && !files.heldOut().isEmpty()) {
            throw new InvalidDatasetException(
                    "%s: %s is held out, so no rows of other files are: leave out --hold-out, or move %s away"
                            .formatted(
                                    source,
                                    files.heldOut().get(0),
                                    files.heldOut().get(0)));
        }
        TableProfile profile = TableProfile.of(files, options);
        int[] strata = profile.target().strata();
        int classes = IntStream.of(strata).max().orElse(0) + 1;
        TablePlaces places = new TablePlaces(
                files.heldOut().isEmpty()
                        ? StratifiedSplit.of(strata, classes, holdOut.orElse(StratifiedSplit.USUAL_SHARE))
                        : StratifiedSplit.of(new int[profile.training()], 1, 0));
        if (files.heldOut().isEmpty() ? places.heldOut() == 0 : profile.heldOut() == 0) {
            throw new InvalidDatasetException(
                    "%s: no row is held out of %d; add rows, or a test.csv".formatted(source, profile.training()));
        }
        TableSchema schema = TableMeasures.of(files, profile, places);
        long values = (long) schema.width() * ((long) profile.training() + profile.heldOut());
        if (values > TableSamples.MOST_VALUES) {
            throw new InvalidDatasetException(
                    "%s: %,d rows become %,d values each, %,d together; the most is %,d: leave columns out (--drop), or rows"
                            .formatted(
                                    source,
                                    profile.training() + profile.heldOut(),
                                    schema.width(),
                                    values,
                                    TableSamples.MOST_VALUES));
        }
        TableReading reading = new TableReading(schema, places, files, profile);
        files.read(reading);
        return new TableDataset(
                name,
                schema,
                reading.training.samples(source),
                reading.heldOut.samples(source),
                TableNotes.of(profile, schema.columns(), Optional.of(schema.target())));
    }

    @Override
    public void visit(TableRows rows, long index, boolean isHeldOut) throws IOException {
        Rows part = heldOut;
        long place = index;
        if (!isHeldOut) {
            int own = places.place(rows, index);
            part = own >= 0 ? training : heldOut;
            place = own >= 0 ? own : ~own;
        }
        if (place >= part.targets.length) {
            throw TablePlaces.changed(rows, place + 1, part.targets.length);
        }
        int at = (int) place;
        for (int i = 0; i < sources.length; i++) {
            schema.columns().get(i).encode(rows.get(sources[i]), part.values, at * part.width + columnPlaces[i]);
        }
        part.targets[at] = schema.target().encode(rows.get(targetColumn));
        part.count++;
    }

    /** The rows of a part while they are read. */
    private static final class Rows {

        private final float[] values;
        private final float[] targets;
        private final int width;
        private int count;

        Rows(int rows, int width) {
            this.values = new float[rows * width];
            this.targets = new float[rows];
            this.width = width;
        }

        TableSamples samples(Path source) throws InvalidDatasetException {
            if (count != targets.length) {
                throw new InvalidDatasetException("%s: there are %,d rows, and were %,d; the files change"
                        .formatted(source, count, targets.length));
            }
            return new TableSamples(values, width, targets);
        }
    }
}
