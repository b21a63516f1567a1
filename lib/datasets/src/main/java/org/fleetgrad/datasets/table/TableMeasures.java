package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.ColumnMeasure.OfCategories.Room;
import org.fleetgrad.datasets.table.TableFiles.RowVisitor;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;

/** Measures the columns that are kept: the second reading, of the training rows alone. Not thread-safe. */
final class TableMeasures implements RowVisitor {

    private final TableProfile profile;
    private final TablePlaces places;
    private final List<Integer> sources = new ArrayList<>();
    private final List<ColumnMeasure> measures = new ArrayList<>();
    private final Moments targets = new Moments();

    private TableMeasures(TableProfile profile, TablePlaces places) {
        this.profile = profile;
        this.places = places;
        Room room = new Room();
        for (int i = 0; i < profile.columns().size(); i++) {
            ColumnProfile column = profile.columns().get(i);
            if (profile.isTarget(i)
                    || i == profile.weightColumn()
                    || column.dropped().isPresent()) {
                continue;
            }
            sources.add(i);
            measures.add(
                    switch (column.kind()) {
                        case NUMBER -> new ColumnMeasure.OfNumbers(column.name());
                        case DATE -> new ColumnMeasure.OfDates(column.name(), column.hasTime());
                        default -> new ColumnMeasure.OfCategories(column.name(), room);
                    });
        }
    }

    /**
     * Reads the training rows.
     *
     * @throws InvalidDatasetException  if nothing is left to predict from
     * @throws IllegalArgumentException if what is measured breaks a rule
     */
    static TableSchema of(TableFiles files, TableProfile profile, TablePlaces places, CountedReading count)
            throws IOException {
        TableMeasures measures = new TableMeasures(profile, places);
        files.readTraining(measures, count);
        List<TableColumn> columns = measures.measures.stream()
                .map(ColumnMeasure::column)
                .flatMap(Optional::stream)
                .toList();
        if (columns.isEmpty()) {
            throw new InvalidDatasetException("%s: of the %d columns none is left to predict '%s' from:%n%s"
                    .formatted(
                            files.training().get(0),
                            files.header().size(),
                            targetName(files, profile),
                            String.join("\n", TableNotes.of(profile, List.of(), Optional.empty()))));
        }
        TableSchema schema = new TableSchema(
                columns,
                measures.target(targetName(files, profile)),
                profile.weightColumn() < 0
                        ? Optional.empty()
                        : Optional.of(files.header().get(profile.weightColumn())));
        // A schema that is too long for a parameter set is refused here, and not when the run begins.
        TableJson.write(schema);
        return schema;
    }

    private static String targetName(TableFiles files, TableProfile profile) {
        return IntStream.of(profile.targetColumns())
                .mapToObj(files.header()::get)
                .collect(Collectors.joining(", "));
    }

    private TableTarget target(String name) {
        if (!profile.target().isNumber()) {
            return profile.target().target();
        }
        if (targets.isConstant()) {
            throw new IllegalArgumentException(
                    "the target '%s' is %s in all %,d training rows, so there is nothing to predict"
                            .formatted(name, targets.mean(), places.training()));
        }
        return new NumberTarget(name, targets.mean(), targets.std());
    }

    @Override
    public void visit(TableRows rows, long index, boolean isHeldOut) throws IOException {
        if (!places.isTraining(rows, index)) {
            return;
        }
        for (int i = 0; i < measures.size(); i++) {
            measures.get(i).add(rows.get(sources.get(i)));
        }
        if (profile.target().isNumber()) {
            int column = profile.targetColumns()[0];
            targets.add(NumberColumn.number(profile.columns().get(column).name(), rows.get(column)));
        }
    }
}
