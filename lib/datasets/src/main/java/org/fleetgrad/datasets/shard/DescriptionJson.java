package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes {@code dataset.json}, and the fields that {@code manifest.json} shares with it. */
final class DescriptionJson {

    private DescriptionJson() {}

    /** Reads a description. Throws {@link IllegalArgumentException} that names the missing or invalid field. */
    static DatasetDescription read(byte[] json) {
        JsonFields fields = JsonFields.parse(json);
        return new DatasetDescription(
                fields.text("name"),
                readSplit(fields),
                fields.texts("classes"),
                fields.integers("shape"),
                readNormalization(fields),
                readRange(fields),
                fields.text("sha256"));
    }

    static byte[] write(DatasetDescription description) {
        ObjectNode json = JsonFields.newObject();
        json.put("name", description.name());
        json.put("split", description.split().text());
        putDataset(json, description.classes(), description.shape(), description.normalization());
        putRange(json, description.range());
        json.put("sha256", description.sha256());
        return JsonFields.write(json);
    }

    static Split readSplit(JsonFields fields) {
        String split = fields.text("split");
        return Split.named(split)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'split' must be \"train\" or \"test\"; it is \"%s\"".formatted(split)));
    }

    static Normalization readNormalization(JsonFields fields) {
        JsonFields normalization = fields.object("normalization");
        return new Normalization(normalization.floats("mean"), normalization.floats("std"));
    }

    static SampleRange readRange(JsonFields fields) {
        JsonFields range = fields.object("range");
        return new SampleRange(range.integer("first"), range.integer("count"), range.integer("total"));
    }

    static void putDataset(ObjectNode json, List<String> classes, List<Integer> shape, Normalization normalization) {
        classes.forEach(json.putArray("classes")::add);
        shape.forEach(json.putArray("shape")::add);
        ObjectNode values = json.putObject("normalization");
        normalization.mean().forEach(values.putArray("mean")::add);
        normalization.std().forEach(values.putArray("std")::add);
    }

    static void putRange(ObjectNode json, SampleRange range) {
        json.putObject("range")
                .put("first", range.first())
                .put("count", range.count())
                .put("total", range.total());
    }
}
