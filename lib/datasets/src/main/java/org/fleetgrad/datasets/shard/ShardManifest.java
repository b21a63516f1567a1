package org.fleetgrad.datasets.shard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.Dataset.DatasetName;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.json.JsonFields;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contents of a folder of shards: its {@code manifest.json}.
 *
 * @param name   name of the dataset
 * @param schema what the samples are
 * @param shards the files, training shards first, in the order of their samples
 */
public record ShardManifest(String name, Schema schema, List<Entry> shards) {

    /** The file's name in its folder. */
    public static final String FILE_NAME = "manifest.json";

    private static final int MAX_BYTES = 16 << 20;

    /**
     * One shard's file.
     *
     * @param file   name in the manifest's folder, without a path
     * @param split  the purpose of the samples
     * @param range  the samples' range in the split
     * @param bytes  length of the file
     * @param sha256 SHA-256 of the file
     */
    public record Entry(String file, Split split, SampleRange range, long bytes, String sha256) {

        /** Checks that the file is in the folder itself and that the other values are well-formed. */
        public Entry {
            DatasetName.require(file);
            if (bytes < 0 || !Sha256.isDigest(sha256)) {
                throw new IllegalArgumentException(
                        "shard '%s' has %d bytes and the SHA-256 '%s'".formatted(file, bytes, sha256));
            }
        }
    }

    /** Checks the name, and that no file is listed twice. */
    public ShardManifest {
        DatasetName.require(name);
        shards = List.copyOf(shards);
        long files = shards.stream().map(Entry::file).distinct().count();
        if (files != shards.size()) {
            throw new IllegalArgumentException("%d shards are in %d files".formatted(shards.size(), files));
        }
    }

    /** Writes the manifest into {@code folder} atomically, and returns the file. */
    public Path write(Path folder) throws IOException {
        ObjectNode json = JsonFields.newObject();
        json.put("name", name);
        DescriptionJson.putSchema(json, schema);
        ArrayNode array = json.putArray("shards");
        for (Entry entry : shards) {
            ObjectNode object = array.addObject();
            object.put("file", entry.file()).put("split", entry.split().text());
            DescriptionJson.putRange(object, entry.range());
            object.put("bytes", entry.bytes()).put("sha256", entry.sha256());
        }
        Path file = folder.resolve(FILE_NAME);
        AtomicFile.write(file, JsonFields.write(json));
        return file;
    }

    /**
     * Reads a manifest file, but not the shards that it names.
     *
     * @throws InvalidShardException if the file is not a manifest
     */
    public static ShardManifest read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(file.toString(), in);
        }
    }

    /**
     * Reads a manifest from a stream, which stays open.
     *
     * @param source the name of the source, for messages
     * @throws InvalidShardException if it is not a manifest
     */
    public static ShardManifest read(String source, InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new InvalidShardException(
                    source, ShardRule.TOO_LARGE, "it is longer than the limit of %d bytes".formatted(MAX_BYTES));
        }
        try {
            JsonFields fields = JsonFields.parse(bytes);
            return new ShardManifest(
                    fields.text("name"),
                    DescriptionJson.readSchema(fields, null),
                    fields.objects("shards").stream()
                            .map(ShardManifest::readEntry)
                            .toList());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidShardException(source, ShardRule.MANIFEST, String.valueOf(invalid.getMessage()), invalid);
        }
    }

    /** Returns the shards of a split, in their order. */
    public List<Entry> of(Split split) {
        return shards.stream().filter(entry -> entry.split() == split).toList();
    }

    private static Entry readEntry(JsonFields fields) {
        return new Entry(
                fields.text("file"),
                DescriptionJson.readSplit(fields),
                DescriptionJson.readRange(fields),
                fields.longInteger("bytes"),
                fields.text("sha256"));
    }
}
