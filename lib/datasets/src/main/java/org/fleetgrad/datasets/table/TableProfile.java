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
    private final int targetColumn;
    private final int weightColumn;
    private final TargetProfile target;
    private final List<ColumnProfile> columns = new ArrayList<>();
    private final int kept;
    private long training;
    private long heldOut;
    private boolean isAnyWeighted;

    private TableProfile(List<String> header, int targetColumn, TableOptions options) {
        this.options = options;
        this.targetColumn = targetColumn;
        this.weightColumn = options.weight().map(header::indexOf).orElse(-1);
        this.target = new TargetProfile(header.get(targetColumn), said(header.get(targetColumn)));
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
        String target = options.target().orElseThrow();
        for (String named : new TreeSet<>(options.kinds().keySet())) {
            requireKnown(files, "column", named);
        }
        requireKnown(files, "target", target);
        if (options.weight().isPresent()) {
            requireKnown(files, "weight", options.weight().get());
        }
        TableProfile profile = new TableProfile(files.header(), files.header().indexOf(target), options);
        files.read(profile, count);
        profile.target.requireNoStrays();
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
            if (i == targetColumn) {
                target.add(rows.get(i), rows, isHeldOut);
            } else if (i == weightColumn) {
                float weight = RowWeight.of(columns.get(i).name(), rows.get(i));
                isAnyWeighted |= weight > 0 && !isHeldOut;
            } else {
                columns.get(i).add(rows.get(i), rows);
            }
        }
    }

    /** Returns the profiles of the columns, those of the target and the weight too, which are empty. */
    List<ColumnProfile> columns() {
        return columns;
    }

    /** Returns which of the columns is the target. */
    int targetColumn() {
        return targetColumn;
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
