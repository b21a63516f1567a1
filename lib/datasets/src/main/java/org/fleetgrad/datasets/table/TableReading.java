package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.StoredRows;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.sampling.StratifiedSplit;
import org.fleetgrad.datasets.table.TableFiles.RowVisitor;

/**
 * Reads a table. The files are read three times: for the kinds of their columns, for the statistics of the training rows, and for
 * the values, which become float32 at once. Memory has the held-out samples and one row, and the training samples if they are few; of
 * more they lie on the disk until they are shards.
 */
public final class TableReading implements RowVisitor {

    /** Training samples of more bytes lie on the disk. */
    private static final long MOST_BYTES = 64L << 20;

    private static final long BUCKET_BYTES = 32L << 20;
    private static final int TIMES = 3;
    private static final int TIMES_HELD_OUT = 2;

    private final TableSchema schema;
    private final TablePlaces places;
    private final int[] sources;
    private final int[] columnPlaces;
    private final List<? extends TargetColumn> targets;
    private final int[] targetColumns;
    private final int weightColumn;
    private final RowStore training;
    private final RowStore heldOut;
    private final float[] row;
    private final float[] target;

    private TableReading(TableSchema schema, TablePlaces places, TableFiles files, TableProfile profile, Path scratch)
            throws IOException {
        this.schema = schema;
        this.places = places;
        this.sources = schema.columns().stream()
                .mapToInt(column -> files.header().indexOf(column.name()))
                .toArray();
        this.columnPlaces = schema.places();
        this.targets = schema.target().columns();
        this.targetColumns = profile.targetColumns();
        this.weightColumn = profile.weightColumn();
        // In the stores, a row's weight is the last of its values.
        int width = schema.width() + (weightColumn < 0 ? 0 : 1);
        int targetCount = targets.size();
        this.training = (long) places.training() * (width + targetCount) * Float.BYTES <= MOST_BYTES
                ? new RowStore.InMemory(places.training(), width, targetCount)
                : new ScatteredRows(scratch, places.training(), width, targetCount, BUCKET_BYTES);
        this.heldOut = new RowStore.InMemory(
                files.heldOut().isEmpty() ? places.heldOut() : profile.heldOut(), width, targetCount);
        this.row = new float[width];
        this.target = new float[targetCount];
    }

    /** Returns whether a file is one of a table, by its name. */
    public static boolean isTable(Path file) {
        return TableFiles.isTable(file);
    }

    /**
     * Reads a table.
     *
     * @param source  a .csv or .tsv file, plain or .gz, or a .parquet file, or a folder of them
     * @param name    of the dataset
     * @param options target and columns; there is a target
     * @param holdOut share of the rows, of each class, that is held out if no file is; a tenth if it is absent
     * @param preparation where the rows of a large table lie while they are put in order, and who watches
     * @throws InvalidDatasetException  if a file breaks a rule; the message has the line and the column
     * @throws IllegalArgumentException if what is in it breaks a rule
     */
    public static TableDataset read(
            Path source, String name, TableOptions options, OptionalDouble holdOut, Preparation preparation)
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
        CountedReading count =
                CountedReading.of(preparation.watcher(), files.training(), TIMES, files.heldOut(), TIMES_HELD_OUT);
        TableProfile profile = TableProfile.of(files, options, count);
        int[] strata = profile.target().strata();
        int classes = IntStream.of(strata).max().orElse(0) + 1;
        TablePlaces places = new TablePlaces(
                files.heldOut().isEmpty()
                        ? StratifiedSplit.of(strata, classes, holdOut.orElse(StratifiedSplit.USUAL_SHARE))
                        : StratifiedSplit.of(new int[profile.training()], 1, 0));
        if (files.heldOut().isEmpty() ? places.heldOut() == 0 : profile.heldOut() == 0) {
            throw new InvalidDatasetException("%s: no row is held out of %,d%s; add rows, or a test.csv"
                    .formatted(
                            source,
                            profile.training(),
                            profile.target() instanceof OneTargetProfile
                                            && !profile.target().isNumber()
                                            && files.heldOut().isEmpty()
                                    ? ", since each of the %,d classes has one row".formatted(classes)
                                    : ""));
        }
        TableSchema schema = TableMeasures.of(files, profile, places, count);
        // The limit allows for one target of a row beside it.
        int width = schema.width() + schema.target().columns().size() - 1;
        long values = (long) width * ((long) profile.training() + profile.heldOut());
        if (values > TableSamples.MOST_VALUES) {
            throw new InvalidDatasetException(
                    "%s: %,d rows become %,d values each, %,d together; the most is %,d: leave columns out (--drop), or rows"
                            .formatted(
                                    source,
                                    profile.training() + profile.heldOut(),
                                    width,
                                    values,
                                    TableSamples.MOST_VALUES));
        }
        TableReading reading = new TableReading(schema, places, files, profile, preparation.scratch());
        files.read(reading, count);
        return new TableDataset(
                name,
                schema,
                reading.training(source),
                reading.heldOut(source),
                TableNotes.of(profile, schema.columns(), Optional.of(schema.target())));
    }

    private Samples training(Path source) throws IOException {
        Samples rows = training.samples(source);
        if (weightColumn < 0) {
            return rows;
        }
        return rows instanceof StoredRows stored ? stored.weighted() : ((TableSamples) rows).weighted();
    }

    private TableSamples heldOut(Path source) throws IOException {
        TableSamples rows = (TableSamples) heldOut.samples(source);
        return weightColumn < 0 ? rows : rows.weighted();
    }

    @Override
    public void visit(TableRows rows, long index, boolean isHeldOut) throws IOException {
        RowStore part = heldOut;
        long place = index;
        if (!isHeldOut) {
            int own = places.place(rows, index);
            part = own >= 0 ? training : heldOut;
            place = own >= 0 ? own : ~own;
        }
        if (place >= part.rows()) {
            throw TablePlaces.changed(rows, place + 1, part.rows());
        }
        for (int i = 0; i < sources.length; i++) {
            schema.columns().get(i).encode(rows.get(sources[i]), row, columnPlaces[i]);
        }
        for (int i = 0; i < target.length; i++) {
            target[i] = targets.get(i).encode(rows.get(targetColumns[i]));
        }
        if (weightColumn >= 0) {
            row[row.length - 1] = RowWeight.of(schema.weight().orElseThrow(), rows.get(weightColumn));
        }
        part.put((int) place, row, target);
    }
}
