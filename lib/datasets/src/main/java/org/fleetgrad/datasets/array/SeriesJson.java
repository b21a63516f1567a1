package org.fleetgrad.datasets.array;

import java.nio.charset.StandardCharsets;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.json.JsonFields;
import org.fleetgrad.datasets.table.TableJson;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the schema of series as JSON: for shards, and for the metadata of parameter sets. */
public final class SeriesJson {

    private static final String LENGTH = "length";
    private static final String CHANNELS = "channels";

    private SeriesJson() {}

    /** Returns a schema as JSON. */
    public static ObjectNode node(SeriesSchema schema) {
        ObjectNode json = JsonFields.newObject().put(LENGTH, schema.length());
        ArrayNode channels = json.putArray(CHANNELS);
        schema.channels()
                .forEach(channel ->
                        channels.addObject().put("mean", channel.mean()).put("std", channel.std()));
        TableJson.putTarget(json, schema.target());
        return json;
    }

    /**
     * Returns a schema as a text.
     *
     * @throws IllegalArgumentException if it is too long
     */
    public static String write(SeriesSchema schema) {
        String text = node(schema).toString();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > TableJson.MOST_WRITTEN) {
            throw new IllegalArgumentException(
                    "the description of %,d channels and %,d classes has %,d bytes, the most is %,d"
                            .formatted(
                                    schema.channels().size(), schema.classes().size(), bytes, TableJson.MOST_WRITTEN));
        }
        return text;
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static SeriesSchema parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TableJson.MOST_BYTES) {
            throw new IllegalArgumentException("the description of series has %,d bytes, the most is %,d"
                    .formatted(bytes.length, TableJson.MOST_BYTES));
        }
        return read(JsonFields.parse(bytes));
    }

    /**
     * Reads what {@link #node} made.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static SeriesSchema read(JsonFields json) {
        return new SeriesSchema(
                json.integer(LENGTH),
                json.objects(CHANNELS).stream()
                        .map(channel -> new Channel(channel.number("mean"), channel.number("std")))
                        .toList(),
                TableJson.target(json));
    }
}
