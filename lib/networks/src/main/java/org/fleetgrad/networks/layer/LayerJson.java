package org.fleetgrad.networks.layer;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.graph.PackedJson;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Layers as data: each is an object with its kind and its settings, under their names in Java. Reading makes nothing but layers, so the
 * layers of a stranger are no risk beyond their memory, whose bounds the network checks.
 */
public final class LayerJson {

    private static final int DEEPEST = 100;
    private static final int MOST_LAYERS = 1 << 14;
    private static final int MOST_NUMBER = Embedding.MOST_ROWS;
    private static final String KIND = "kind";

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .changeDefaultVisibility(all -> all.withFieldVisibility(Visibility.ANY)
                    .withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE))
            .addMixIn(Layer.class, OfKind.class)
            .addMixIn(InitialValues.class, OfKind.class)
            .registerSubtypes(kinds(Layer.class))
            .registerSubtypes(kinds(InitialValues.class))
            .build();

    private LayerJson() {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = KIND)
    private interface OfKind {}

    /** A graph has a name of its own. */
    private static NamedType[] kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .filter(kind -> !kind.equals(GraphLayer.class))
                .map(kind -> new NamedType(kind, kind.getSimpleName()))
                .toArray(NamedType[]::new);
    }

    /**
     * Packs layers into an argument of a network's name.
     *
     * @throws IllegalArgumentException if one of them is a graph
     */
    public static String pack(Sequential layers) {
        if (layers.has(GraphLayer.class)) {
            throw new IllegalArgumentException("a graph is no layer of a network of one's own; it is a network");
        }
        return PackedJson.pack(MAPPER.writeValueAsBytes(layers));
    }

    /**
     * Unpacks layers.
     *
     * @throws IllegalArgumentException if they are damaged, too many, or none; the message has the rule
     */
    public static Sequential unpack(String packed) {
        byte[] json;
        try {
            json = PackedJson.unpack(packed);
        } catch (IllegalArgumentException damaged) {
            throw new IllegalArgumentException("the layers are damaged: " + damaged.getMessage(), damaged);
        }
        if (json.length > PackedJson.MOST_BYTES) {
            throw new IllegalArgumentException(
                    "layers have at most %,d bytes of JSON; these have more".formatted(PackedJson.MOST_BYTES));
        }
        try {
            JsonNode document = MAPPER.readTree(json);
            requireNumbers(document);
            int count = document.findValues(KIND).size();
            if (count > MOST_LAYERS) {
                throw new IllegalArgumentException(
                        "a network has at most %,d layers; this has %,d".formatted(MOST_LAYERS, count));
            }
            return MAPPER.treeToValue(document, Sequential.class);
        } catch (JacksonException unfit) {
            throw new IllegalArgumentException("the layers cannot be read: " + Printable.text(reason(unfit)), unfit);
        }
    }

    /** What a layer says of its settings is below what Jackson says of it. */
    private static String reason(JacksonException unfit) {
        Throwable cause = unfit;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof JacksonException last
                ? String.valueOf(last.getOriginalMessage())
                : String.valueOf(cause.getMessage());
    }

    /** So that no sum or product of a few of them overflows. */
    private static void requireNumbers(JsonNode node) {
        List<JsonNode> inner = node.valueStream().toList();
        if (node.isIntegralNumber() && !(node.canConvertToInt() && node.asInt() >= 0 && node.asInt() <= MOST_NUMBER)) {
            throw new IllegalArgumentException("a number of a layer is from 0 to %,d; it is %s"
                    .formatted(MOST_NUMBER, Printable.text(node.toString())));
        }
        if (node.isFloatingPointNumber() && !Double.isFinite(node.asDouble())) {
            throw new IllegalArgumentException("a number of a layer is finite; it is " + node);
        }
        inner.forEach(LayerJson::requireNumbers);
    }
}
