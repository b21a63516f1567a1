package org.fleetgrad.datasets;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.networks.Question;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.databind.json.JsonMapper;

/** Samples that are rows of numbers, of a table or of an array, with a target. */
public sealed interface RowSchema extends Schema permits SeriesSchema, TableSchema {

    /** Returns the number of values of a row. */
    int width();

    /** Returns what is predicted. */
    TableTarget target();

    @Override
    RowTask task();

    /** Returns whether each row has a weight in the loss; by default all count alike. */
    default boolean isWeighted() {
        return false;
    }

    /** Returns the number of plain values, with which a row begins; all by default. */
    default int numbers() {
        return width();
    }

    /** Returns the number of indices of each embedded column, in the order in which a row has them; none by default. */
    default List<Integer> categories() {
        return List.of();
    }

    @Override
    default List<String> classes() {
        return target() instanceof ClassTarget classes ? classes.classes() : List.of();
    }

    /** Returns the question about a row. */
    default Question question() {
        if (target() instanceof LabelsTarget labels) {
            return new Labels(labels.columns().size());
        }
        return target() instanceof ClassTarget classes
                ? new OneClass(classes.classes().size())
                : new Regression(Loss.SQUARED);
    }

    /** Returns the metadata of a parameter set: this schema as a text under a key, and the classes if there are any. */
    default Map<String, String> metadata(String key, String text) {
        Map<String, String> metadata = new HashMap<>(Map.of(key, text));
        if (!classes().isEmpty()) {
            metadata.put(MetadataKeys.CLASSES, JsonMapper.shared().writeValueAsString(classes()));
        }
        return metadata;
    }
}
