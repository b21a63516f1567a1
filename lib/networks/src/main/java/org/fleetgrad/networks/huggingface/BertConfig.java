package org.fleetgrad.networks.huggingface;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Translates between the name of a BERT that classifies and its {@code config.json}, as Hugging Face's {@code BertConfig} has it. With
 * this file beside {@code model.safetensors}, {@code BertForSequenceClassification.from_pretrained(folder)} opens the network.
 */
final class BertConfig {

    /** The value of {@code model_type}. */
    static final String TYPE = "bert";

    private static final String BASE = "bert-base";
    private static final Set<String> BASES = Set.of(TYPE, BASE);

    private static final String LAYERS = "layers";
    private static final String HEADS = "heads";
    private static final String WIDTH = "width";
    private static final String DROPOUT = "dropout";
    private static final String POSITIONS = "positions";

    private static final List<String> DROPOUTS = List.of("hidden_dropout_prob", "attention_probs_dropout_prob");
    private static final double DEFAULT_DROPOUT = 0.1;
    private static final double EPSILON = 1e-12;
    private static final String NAMES = "id2label";
    private static final int DEFAULT_CLASSES = 2;
    private static final int PARTS = 2;

    /** Classes whose tensors have the network's; those that do not classify need a new head. */
    private static final List<String> ARCHITECTURES =
            List.of("BertForSequenceClassification", "BertModel", "BertForPreTraining", "BertForMaskedLM");

    private BertConfig() {}

    static boolean isFor(NetworkName network) {
        return BASES.contains(network.base());
    }

    /**
     * Writes the configuration of a network.
     *
     * @param network complete: with every argument
     * @param classes names of the first classes; the others are called as transformers calls them
     */
    static byte[] write(NetworkName network, List<String> classes) {
        int width = network.number(WIDTH, Integer.MAX_VALUE);
        int vocabulary = network.number(NetworkName.VOCABULARY, Task.MOST_TOKENS);
        ObjectNode json = ConfigFields.newObject().put("model_type", TYPE);
        json.putArray("architectures").add(ARCHITECTURES.get(0));
        json.put("num_hidden_layers", network.number(LAYERS, Integer.MAX_VALUE))
                .put("num_attention_heads", network.number(HEADS, Integer.MAX_VALUE))
                .put("hidden_size", width)
                .put("intermediate_size", 4L * width)
                .put("max_position_embeddings", network.number(POSITIONS, Task.MOST_TOKENS))
                .put("vocab_size", vocabulary)
                .put("type_vocab_size", PARTS)
                .put("pad_token_id", network.index(NetworkName.PADDING, vocabulary))
                .put("hidden_act", "gelu")
                .put("layer_norm_eps", EPSILON)
                .put("initializer_range", 0.02)
                .put("problem_type", "single_label_classification");
        double dropout = Double.parseDouble(Float.toString(network.probability(DROPOUT)));
        DROPOUTS.forEach(key -> json.put(key, dropout));
        ObjectNode names = json.putObject(NAMES);
        for (int i = 0; i < network.classes(); i++) {
            names.put(Integer.toString(i), i < classes.size() ? classes.get(i) : "LABEL_" + i);
        }
        ObjectNode numbers = json.putObject("label2id");
        names.properties().forEach(name -> numbers.put(name.getValue().stringValue(), Integer.parseInt(name.getKey())));
        return ConfigFields.write(json.put("torch_dtype", "float32"));
    }

    /**
     * Returns the name of a configuration's network. It lacks the context, which the dataset determines: at most the positions.
     *
     * @throws IllegalArgumentException if it is not the configuration of a BERT that Fleetgrad computes
     */
    static NetworkName read(ConfigFields fields) {
        int width = fields.size("hidden_size");
        requireComputed(fields, width);
        NetworkName name = new NetworkName(TYPE, new TreeMap<>())
                .with(LAYERS, Integer.toString(fields.size("num_hidden_layers")))
                .with(HEADS, Integer.toString(fields.size("num_attention_heads")))
                .with(WIDTH, Integer.toString(width))
                .with(POSITIONS, Integer.toString(fields.size("max_position_embeddings")))
                .with(NetworkName.VOCABULARY, Integer.toString(fields.size("vocab_size")))
                .with(NetworkName.PADDING, Integer.toString((int) fields.number("pad_token_id", 0)))
                .with(NetworkName.CLASSES, Integer.toString(classes(fields)))
                .with(DROPOUT, dropout(fields));
        NetworkName own = isBase(name) ? new NetworkName(BASE, name.arguments()) : name;
        Networks.requireText(own.toString());
        return own;
    }

    private static boolean isBase(NetworkName name) {
        NetworkName base = NetworkName.parse(Networks.usual(BASE).spec().name());
        return List.of(LAYERS, HEADS, WIDTH, POSITIONS).stream()
                .allMatch(key -> name.argument(key).equals(base.argument(key)));
    }

    private static int classes(ConfigFields fields) {
        if (!fields.has(NAMES)) {
            return (int) fields.number("num_labels", DEFAULT_CLASSES);
        }
        return fields.required(NAMES, "an object of 1 or more names", value -> value.isObject() && !value.isEmpty())
                .size();
    }

    private static void requireComputed(ConfigFields fields, int width) {
        fields.requireArchitecture(ARCHITECTURES);
        requireText(fields, "hidden_act", "gelu");
        requireText(fields, "position_embedding_type", "absolute");
        fields.require("layer_norm_eps", "1e-12", value -> value.isNumber() && value.doubleValue() == EPSILON);
        fields.require(
                "intermediate_size",
                "4 hidden_size = %d".formatted(4L * width),
                value -> value.isIntegralNumber() && value.doubleValue() == 4.0 * width);
        fields.require("type_vocab_size", "2", value -> value.isIntegralNumber() && value.intValue() == PARTS);
        fields.require(
                "problem_type",
                "null or \"single_label_classification\"",
                value -> value.isNull() || value.asString("").equals("single_label_classification"));
        fields.require(
                "pad_token_id",
                "a token",
                value -> value.isIntegralNumber() && value.canConvertToInt() && value.intValue() >= 0);
        fields.requireTruth("is_decoder", false);
        fields.requireTruth("add_cross_attention", false);
        fields.require("quantization_config", "null", JsonNode::isNull);
    }

    private static void requireText(ConfigFields fields, String key, String expected) {
        fields.require(key, "\"" + expected + "\"", value -> value.asString("").equals(expected));
    }

    private static String dropout(ConfigFields fields) {
        double dropout = fields.number(DROPOUTS.get(0), DEFAULT_DROPOUT);
        fields.require(
                "classifier_dropout",
                "null or %s, as %s is".formatted(dropout, DROPOUTS.get(0)),
                value -> value.isNull() || (value.isNumber() && value.doubleValue() == dropout));
        return fields.dropout(DROPOUTS, DEFAULT_DROPOUT);
    }
}
