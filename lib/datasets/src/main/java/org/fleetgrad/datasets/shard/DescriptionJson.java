package org.fleetgrad.datasets.shard;

import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.array.SeriesJson;
import org.fleetgrad.datasets.json.JsonFields;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.table.TableJson;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.datasets.text.Tokenizer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes {@code dataset.json}, and the fields that {@code manifest.json} shares with it. */
final class DescriptionJson {

    private static final String TABLE = "table";
    private static final String SERIES = "series";

    private DescriptionJson() {}

    /**
     * Reads a description. Throws {@link IllegalArgumentException} that names the missing or invalid field.
     *
     * @param tokenizer the {@code tokenizer.json} of the shard, if it has one
     */
    static DatasetDescription read(byte[] json, byte @Nullable [] tokenizer) {
        JsonFields fields = JsonFields.parse(json);
        Schema schema = readSchema(fields, tokenizer);
        return new DatasetDescription(
                fields.text("name"), readSplit(fields), schema, readRange(fields), fields.text("sha256"));
    }

    static byte[] write(DatasetDescription description) {
        ObjectNode json = JsonFields.newObject();
        json.put("name", description.name());
        json.put("split", description.split().text());
        putSchema(json, description.schema());
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

    /**
     * Reads what the samples are: texts have a field {@code text}, images and texts with labels have {@code classes}, tables have
     * {@code table}, series have {@code series}.
     */
    static Schema readSchema(JsonFields fields, byte @Nullable [] tokenizer) {
        if (fields.has(TABLE) && tokenizer == null) {
            return TableJson.read(fields.object(TABLE));
        }
        if (fields.has(SERIES) && tokenizer == null) {
            return SeriesJson.read(fields.object(SERIES));
        }
        if (fields.has("text")) {
            JsonFields text = fields.object("text");
            if (fields.has("classes")) {
                return new LabelledTextSchema(
                        new SampleEncoding(
                                tokenizer(text, tokenizer), text.integer("context"), text.integer("padding")),
                        fields.texts("classes"));
            }
            return new TextSchema(tokenizer(text, tokenizer), text.integer("context"));
        }
        if (tokenizer != null) {
            throw new IllegalArgumentException("images, tables and series have no %s".formatted(JsonTokenizer.FILE));
        }
        JsonFields normalization = fields.object("normalization");
        return new ImageSchema(
                fields.texts("classes"),
                fields.integers("shape"),
                new Normalization(normalization.floats("mean"), normalization.floats("std")));
    }

    private static Tokenizer tokenizer(JsonFields text, byte @Nullable [] file) {
        Tokenizer named = Tokenizer.parse(text.text("tokenizer"));
        if (file == null) {
            return named;
        }
        if (named instanceof JsonTokenizer known) {
            return known.with(file);
        }
        throw new IllegalArgumentException(
                "a shard with a %s states the tokenizer %s".formatted(JsonTokenizer.FILE, named));
    }

    static SampleRange readRange(JsonFields fields) {
        JsonFields range = fields.object("range");
        return new SampleRange(range.integer("first"), range.integer("count"), range.integer("total"));
    }

    static void putSchema(ObjectNode json, Schema schema) {
        if (schema instanceof TableSchema table) {
            json.set(TABLE, TableJson.node(table));
        } else if (schema instanceof SeriesSchema series) {
            json.set(SERIES, SeriesJson.node(series));
        } else if (schema instanceof TextSchema text) {
            json.putObject("text").put("tokenizer", text.tokenizer().text()).put("context", text.context());
        } else if (schema instanceof LabelledTextSchema texts) {
            SampleEncoding encoding = texts.encoding();
            json.putObject("text")
                    .put("tokenizer", encoding.tokenizer().text())
                    .put("context", encoding.context())
                    .put("padding", encoding.padding());
            texts.classes().forEach(json.putArray("classes")::add);
        } else if (schema instanceof ImageSchema images) {
            images.classes().forEach(json.putArray("classes")::add);
            images.shape().forEach(json.putArray("shape")::add);
            ObjectNode values = json.putObject("normalization");
            images.normalization().mean().forEach(values.putArray("mean")::add);
            images.normalization().std().forEach(values.putArray("std")::add);
        }
    }

    static void putRange(ObjectNode json, SampleRange range) {
        json.putObject("range")
                .put("first", range.first())
                .put("count", range.count())
                .put("total", range.total());
    }
}
