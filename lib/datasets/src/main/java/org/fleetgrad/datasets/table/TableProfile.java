package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.table.TableFiles.RowVisitor;
import org.fleetgrad.files.text.Printable;

/** What the columns of a table are: the first reading, of all rows. Not thread-safe. */
final class TableProfile implements RowVisitor {

    private static final int MOST_DISTINCT = 1 << 22;
    private static final int FEWEST_DISTINCT_A_COLUMN = 256;
    private static final int MOST_DISTINCT_A_COLUMN = 4096;

    private final TableOptions options;
    private final int[] targetColumns;
    private final int weightColumn;
    private final TargetProfile target;
    private final List<ColumnProfile> columns = new ArrayList<>();
    private final boolean[] isTarget;
    private final int kept;
    private long training;
    private long heldOut;
    private boolean isAnyWeighted;

    private TableProfile(List<String> header, TableOptions options) {
        this.options = options;
        this.targetColumns =
                options.targets().stream().mapToInt(header::indexOf).toArray();
        this.target = targetColumns.length == 1
                ? new OneTargetProfile(
                        header.get(targetColumns[0]), targetColumns[0], said(header.get(targetColumns[0])))
                : new LabelsProfile(LabelsTarget.of(options.targets()), targetColumns);
        this.isTarget = new boolean[header.size()];
        for (int column : targetColumns) {
            isTarget[column] = true;
        }
        this.weightColumn = options.weight().map(header::indexOf).orElse(-1);
        int most = Math.max(FEWEST_DISTINCT_A_COLUMN, Math.min(MOST_DISTINCT_A_COLUMN, MOST_DISTINCT / header.size()));
        header.forEach(name -> columns.add(new ColumnProfile(name, said(name), most)));
        this.kept = (int) header.stream()
                .filter(name -> !said(name).equals(Optional.of(ColumnKind.DROP)))
                .count();
    }

    private Optional<ColumnKind> said(String name) {
        return Optional.ofNullable(options.kinds().get(name));
    }

    /**
     * Reads all rows.
     *
     * @throws InvalidDatasetException if a file breaks a rule, or the options name a column that there is not
     */
    static TableProfile of(TableFiles files, TableOptions options, CountedReading count) throws IOException {
        for (String named : new TreeSet<>(options.kinds().keySet())) {
            requireKnown(files, "column", named);
        }
        for (String target : options.targets()) {
            requireKnown(files, "target", target);
        }
        if (options.weight().isPresent()) {
            requireKnown(files, "weight", options.weight().get());
        }
        TableProfile profile = new TableProfile(files.header(), options);
        files.read(profile, count);
        profile.target.requireFit();
        if (profile.weightColumn >= 0 && !profile.isAnyWeighted) {
            throw new InvalidDatasetException("%s: the weight '%s' is 0 in every row, so none would be trained on"
                    .formatted(
                            files.training().get(0),
                            Printable.text(options.weight().get())));
        }
        if (profile.training < 2) {
            throw new InvalidDatasetException("%s has %d rows; a table has 2 or more to train on"
                    .formatted(files.training().get(0), profile.training));
        }
        return profile;
    }

    private static void requireKnown(TableFiles files, String what, String name) throws InvalidDatasetException {
        if (name.isEmpty() || !files.header().contains(name)) {
            throw new InvalidDatasetException("%s: there is no %s '%s'; the %d columns are %s"
                    .formatted(
                            files.training().get(0),
                            what,
                            Printable.text(name),
                            files.header().size(),
                            Printable.text(String.join(", ", files.header()))));
        }
    }

    @Override
    public void begin() {
        columns.forEach(ColumnProfile::beginFile);
    }

    @Override
    public void visit(TableRows rows, long index, boolean isHeldOut) throws IOException {
        if ((training + heldOut + 1) * kept > TableSamples.MOST_VALUES) {
            throw new InvalidDatasetException(
                    "the table has more than %,d rows of %,d columns; it can have %,d values: leave columns out (--drop), or rows"
                            .formatted(training + heldOut, kept, TableSamples.MOST_VALUES));
        }
        if (isHeldOut) {
            heldOut++;
        } else {
            training++;
        }
        for (int i = 0; i < columns.size(); i++) {
            if (i == weightColumn) {
                float weight = RowWeight.of(columns.get(i).name(), rows.get(i));
                isAnyWeighted |= weight > 0 && !isHeldOut;
            } else if (!isTarget(i)) {
                columns.get(i).add(isUnread(rows, i) ? "" : rows.get(i), rows);
            }
        }
        target.add(rows, isHeldOut);
    }

    /** Returns whether a column is predicted. */
    boolean isTarget(int column) {
        return isTarget[column];
    }

    /** A column that is left out may have what no table has. */
    private boolean isUnread(TableRows rows, int column) {
        return !rows.isReadable(column) && said(columns.get(column).name()).equals(Optional.of(ColumnKind.DROP));
    }

    /** Returns the profiles of the columns, those of the target and the weight too, which are empty. */
    List<ColumnProfile> columns() {
        return columns;
    }

    /** Returns which of the columns are the target, in its order. */
    int[] targetColumns() {
        return targetColumns.clone();
    }

    /** Returns which of the columns is the weight of a row; -1 if none is. */
    int weightColumn() {
        return weightColumn;
    }

    TargetProfile target() {
        return target;
    }

    /** Returns the number of rows of the training files. */
    int training() {
        return Math.toIntExact(training);
    }

    /** Returns the number of rows of the held-out file. */
    int heldOut() {
        return Math.toIntExact(heldOut);
    }
}
