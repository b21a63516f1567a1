package org.fleetgrad.networks.huggingface;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Translates between the complete name of a GPT-2 and its {@code config.json}, as Hugging Face's {@code GPT2Config} has it. With
 * this file beside {@code model.safetensors}, {@code AutoModelForCausalLM.from_pretrained(folder)} opens the network.
 */
public final class Gpt2Config {

    /** Name of the file. */
    public static final String FILE = "config.json";

    /** Length of the longest file that is read. */
    public static final int MOST_BYTES = 1 << 20;

    private static final String SMALL = "gpt2";
    private static final String MEDIUM = "gpt2-medium";
    private static final Set<String> BASES = Set.of(SMALL, MEDIUM);

    private static final String LAYERS = "layers";
    private static final String HEADS = "heads";
    private static final String WIDTH = "width";
    private static final String DROPOUT = "dropout";
    private static final String TIED = "tied";

    private static final List<String> DROPOUTS = List.of("resid_pdrop", "embd_pdrop", "attn_pdrop");
    private static final double DEFAULT_DROPOUT = 0.1;
    private static final double EPSILON = 1e-5;
    private static final String TIES = "tie_word_embeddings";

    /** The two names of the tanh form of GELU. */
    private static final List<String> ACTIVATIONS = List.of("gelu_new", "gelu_pytorch_tanh");

    /** Classes whose tensors are those of the network; without the head, the file is only enough for a tied network. */
    private static final List<String> ARCHITECTURES = List.of("GPT2LMHeadModel", "GPT2Model");

    /** The vocabulary of the published models; only there the last token begins and ends a text. */
    private static final int PUBLISHED_VOCABULARY = 50_257;

    private Gpt2Config() {}

    /** Returns whether a network is a GPT-2. */
    public static boolean isFor(NetworkName network) {
        return BASES.contains(network.base());
    }

    /**
     * Writes the configuration of a network.
     *
     * @param network complete: with every argument
     * @throws IllegalArgumentException if it is not a GPT-2, or lacks an argument
     */
    public static byte[] write(NetworkName network) {
        if (!isFor(network)) {
            throw new IllegalArgumentException("the network '%s' is not a GPT-2".formatted(network));
        }
        int context = network.number(NetworkName.CONTEXT, Task.MOST_TOKENS);
        int vocabulary = network.number(NetworkName.VOCABULARY, Task.MOST_TOKENS);
        ObjectNode json = ConfigFields.newObject().put("model_type", SMALL);
        json.putArray("architectures").add(ARCHITECTURES.get(0));
        json.put("n_layer", network.number(LAYERS, Integer.MAX_VALUE))
                .put("n_head", network.number(HEADS, Integer.MAX_VALUE))
                .put("n_embd", network.number(WIDTH, Integer.MAX_VALUE))
                .putNull("n_inner")
                .put("n_positions", context)
                // An older name of n_positions, which other programs still read.
                .put("n_ctx", context)
                .put("vocab_size", vocabulary)
                .put(TIES, isTied(network))
                .put("activation_function", ACTIVATIONS.get(0))
                .put("layer_norm_epsilon", EPSILON)
                .put("initializer_range", 0.02);
        double dropout = Double.parseDouble(Float.toString(network.probability(DROPOUT)));
        DROPOUTS.forEach(key -> json.put(key, dropout));
        for (String token : List.of("bos_token_id", "eos_token_id")) {
            if (vocabulary == PUBLISHED_VOCABULARY) {
                json.put(token, vocabulary - 1);
            } else {
                json.putNull(token);
            }
        }
        return ConfigFields.write(json.put("torch_dtype", "float32"));
    }

    /**
     * Reads a configuration and returns the complete name of its network.
     *
     * @throws IllegalArgumentException if it is not the configuration of a GPT-2 that Fleetgrad computes; the message has the
     *     key and the value, and completes a sentence whose subject is the file
     */
    public static NetworkName read(byte[] file) {
        ConfigFields fields = ConfigFields.parse(file, MOST_BYTES);
        fields.required("model_type", "\"gpt2\"", value -> ConfigFields.isText(value, List.of(SMALL)));
        return read(fields);
    }

    /** Reads a configuration whose {@code model_type} is checked. */
    static NetworkName read(ConfigFields fields) {
        int width = fields.size("n_embd");
        requireComputed(fields, width);
        Map<String, String> sizes = Map.of(
                LAYERS,
                Integer.toString(fields.size("n_layer")),
                HEADS,
                Integer.toString(fields.size("n_head")),
                WIDTH,
                Integer.toString(width));
        NetworkName name = new NetworkName(isMedium(sizes) ? MEDIUM : SMALL, new TreeMap<>(sizes))
                .with(NetworkName.CONTEXT, Integer.toString(fields.size("n_positions")))
                .with(NetworkName.VOCABULARY, Integer.toString(fields.size("vocab_size")))
                .with(TIED, fields.truth(TIES, true) ? "yes" : "no")
                .with(DROPOUT, fields.dropout(DROPOUTS, DEFAULT_DROPOUT));
        return NetworkName.parse(Networks.named(name.toString()).spec().name());
    }

    /** Returns whether the file of a configuration has the logits' weight only once, as the embedding. */
    public static boolean isTied(NetworkName network) {
        return network.isYes(TIED);
    }

    /** Refuses whatever would make the network compute something else; a missing key has GPT2Config's default. */
    private static void requireComputed(ConfigFields fields, int width) {
        fields.requireArchitecture(ARCHITECTURES);
        fields.require(
                "activation_function",
                "\"%s\"".formatted(String.join("\" or \"", ACTIVATIONS)),
                value -> ConfigFields.isText(value, ACTIVATIONS));
        fields.require("layer_norm_epsilon", "0.00001", value -> value.isNumber() && value.doubleValue() == EPSILON);
        fields.require(
                "n_inner",
                "null or 4 n_embd = %d".formatted(4L * width),
                value -> value.isNull() || (value.isIntegralNumber() && value.doubleValue() == 4.0 * width));
        fields.requireTruth("scale_attn_weights", true);
        fields.requireTruth("scale_attn_by_inverse_layer_idx", false);
        fields.requireTruth("reorder_and_upcast_attn", false);
        fields.requireTruth("add_cross_attention", false);
        fields.require("quantization_config", "null", JsonNode::isNull);
    }

    private static boolean isMedium(Map<String, String> sizes) {
        return NetworkName.parse(Networks.usual(MEDIUM).spec().name())
                .arguments()
                .entrySet()
                .containsAll(sizes.entrySet());
    }
}
