package org.fleetgrad.checkpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.fleetgrad.checkpoints.CheckpointManifest.FileDigest;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.text.Printable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A manifest as a file. Its last member, {@code sha256}, is the digest of all bytes before the comma that precedes it,
 * so that damage to the manifest itself is detected, too.
 */
final class ManifestJson {

    /** The longest manifest. */
    static final int MAX_BYTES = 1 << 20;

    /** The format that this class writes and reads. */
    private static final int FORMAT = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final byte[] END = "\n}".getBytes(StandardCharsets.UTF_8);

    private ManifestJson() {}

    /** Encodes a manifest. Throws {@link IllegalArgumentException} if it is too long. */
    static byte[] encode(CheckpointManifest manifest) {
        ObjectNode json = MAPPER.createObjectNode()
                .put("format", FORMAT)
                .put("number", manifest.number())
                .put("generation", manifest.generation())
                .put("version", manifest.version())
                .put("written", manifest.written().toString());
        ObjectNode notes = json.putObject("notes");
        manifest.notes().forEach(notes::put);
        ObjectNode files = json.putObject("files");
        manifest.files()
                .forEach((name, digest) ->
                        files.putObject(name).put("bytes", digest.bytes()).put("sha256", digest.sha256()));
        // Fixed line ends, so that the bytes do not depend on the platform.
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        byte[] unsealed = MAPPER.writer().with(printer).writeValueAsBytes(json);
        byte[] sealed = seal(Arrays.copyOf(unsealed, unsealed.length - END.length));
        if (sealed.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the manifest of %s would be %d bytes long, the limit is %d; shorten its notes"
                            .formatted(manifest.name(), sealed.length, MAX_BYTES));
        }
        return sealed;
    }

    /** Completes a manifest, without its closing brace, by the digest and the brace. */
    static byte[] seal(byte[] content) {
        byte[] seal = sealOf(content);
        byte[] sealed = Arrays.copyOf(content, content.length + seal.length);
        System.arraycopy(seal, 0, sealed, content.length, seal.length);
        return sealed;
    }

    private static byte[] sealOf(byte[] content) {
        return ",\n  \"sha256\" : \"%s\"\n}\n"
                .formatted(Sha256.of(ByteBuffer.wrap(content)))
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the manifest of checkpoint {@code number}.
     *
     * @throws IllegalArgumentException if the file is not such a manifest; the message completes a sentence whose
     *     subject is the file
     */
    static CheckpointManifest decode(byte[] file, long number) {
        if (file.length == 0) {
            throw new IllegalArgumentException("is empty");
        }
        if (file.length > MAX_BYTES) {
            throw new IllegalArgumentException("has more than %d bytes".formatted(MAX_BYTES));
        }
        JsonNode json = parse(file);
        try {
            // Checks the format first, so that another format may use another seal.
            int format = (int) Math.min(longInteger(json, "format"), Integer.MAX_VALUE);
            if (format != FORMAT) {
                throw new IllegalArgumentException(
                        "its format is %d, this Fleetgrad reads format %d; use the Fleetgrad that wrote it"
                                .formatted(format, FORMAT));
            }
            requireSeal(file);
            CheckpointManifest manifest = new CheckpointManifest(
                    longInteger(json, "number"),
                    text(json, "generation"),
                    longInteger(json, "version"),
                    Instant.parse(text(json, "written")),
                    notes(required(json, "notes", "an object", JsonNode::isObject)),
                    files(required(json, "files", "an object", JsonNode::isObject)));
            if (manifest.number() != number) {
                throw new IllegalArgumentException("it belongs to %s".formatted(manifest.name()));
            }
            return manifest;
        } catch (IllegalArgumentException | DateTimeException invalid) {
            throw new IllegalArgumentException(
                    "is not the manifest of this checkpoint: " + invalid.getMessage(), invalid);
        }
    }

    private static JsonNode parse(byte[] file) {
        try {
            JsonNode json = MAPPER.readTree(file);
            if (json.isObject()) {
                return json;
            }
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "is not JSON: " + Printable.text(malformed.getOriginalMessage()), malformed);
        }
        throw new IllegalArgumentException("is not a JSON object");
    }

    private static void requireSeal(byte[] file) {
        int contentBytes = file.length - sealOf(new byte[0]).length;
        byte[] content = Arrays.copyOf(file, Math.max(0, contentBytes));
        if (!Arrays.equals(file, seal(content))) {
            throw new IllegalArgumentException(
                    "its 'sha256' differs from that of its content, %s".formatted(Sha256.of(ByteBuffer.wrap(content))));
        }
    }

    private static Map<String, String> notes(JsonNode json) {
        Map<String, String> notes = new LinkedHashMap<>();
        for (String name : json.propertyNames()) {
            notes.put(name, text(json, name));
        }
        return notes;
    }

    private static Map<String, FileDigest> files(JsonNode json) {
        Map<String, FileDigest> files = new LinkedHashMap<>();
        for (String name : json.propertyNames()) {
            JsonNode file = required(json, name, "an object", JsonNode::isObject);
            files.put(name, new FileDigest(longInteger(file, "bytes"), text(file, "sha256")));
        }
        return files;
    }

    private static String text(JsonNode json, String name) {
        return required(json, name, "a string", JsonNode::isString).stringValue();
    }

    private static long longInteger(JsonNode json, String name) {
        return required(json, name, "a whole number", value -> value.isIntegralNumber() && value.canConvertToLong())
                .longValue();
    }

    private static JsonNode required(JsonNode json, String name, String expected, Predicate<JsonNode> isExpected) {
        JsonNode value = json.get(name);
        if (value == null || !isExpected.test(value)) {
            throw new IllegalArgumentException("'%s' must be %s; it is %s"
                    .formatted(
                            Printable.text(name),
                            expected,
                            value == null ? "missing" : Printable.text(value.toString())));
        }
        return value;
    }
}
