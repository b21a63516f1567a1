package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.InitialValues;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.FirstToken;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.Tanh;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PaddedAttention;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.QueryKeyValue;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TokenTypeEmbedding;

/**
 * BERT for the classification of texts (J. Devlin et al. 2019) with the names, shapes and initial values of Hugging Face's {@code
 * BertForSequenceClassification}: layers that normalize last, attention to all tokens but padding, exact GELU, and a pooler of the
 * first token. All tokens are of the first of two parts (segments). {@code bert} is a small one; each size can be set. {@code
 * positions} is the number of rows of the position embedding, at least the context.
 */
final class Bert implements NetworkFamily {

    private static final String POSITIONS = "positions";
    private static final String BASE = "bert-base";
    private static final int PARTS = 2;
    private static final double EPSILON = 1e-12;

    /** Positions and tokens of the published models. */
    private static final TextClassification USUAL = new TextClassification(512, 30_522, 2, 0);

    private static final SortedMap<String, TransformerSize> TABLE =
            new TreeMap<>(Map.of("bert", new TransformerSize(2, 2, 128), BASE, new TransformerSize(12, 12, 768)));

    @Override
    public NetworkDefinition define(NetworkName name) {
        TextClassification task = (TextClassification) USUAL.stated(name);
        int width = name.number(TransformerSize.WIDTH, 65_536);
        int heads = name.number(TransformerSize.HEADS, 65_536);
        long positions = name.number(POSITIONS, Task.MOST_TOKENS);
        float dropout = name.probability(TransformerSize.DROPOUT);
        Sequential embeddings = Sequential.of(
                        "word_embeddings", Embedding.padded(task.vocabulary(), width, task.padding()))
                .then("position_embeddings", new PositionEmbedding("weight", List.of(positions, (long) width)))
                .then("token_type_embeddings", new TokenTypeEmbedding(PARTS, width))
                .then("LayerNorm", new LayerNorm(width, EPSILON))
                .thenDropout("dropout", dropout);
        List<Layer> hidden = new ArrayList<>();
        for (int i = 0; i < name.number(TransformerSize.LAYERS, 1000); i++) {
            hidden.add(layer(width, heads, task.padding(), dropout));
        }
        Sequential bert = Sequential.of("embeddings", embeddings)
                .then("encoder", Sequential.of("layer", Sequential.numbered(hidden)))
                .then("first", new FirstToken())
                .then("pooler", Sequential.of("dense", linear(width, width)).then("activation", new Tanh()));
        return NetworkDefinition.of(
                name,
                task,
                Sequential.of("bert", bert)
                        .thenDropout("dropout", dropout)
                        .then("classifier", linear(width, task.classes())));
    }

    private static Sequential layer(int width, int heads, int padding, float dropout) {
        Sequential attention = Sequential.of("self", new QueryKeyValue(width))
                .then("weights", new PaddedAttention(width, heads, padding, dropout))
                .then("output", Sequential.of("dense", linear(width, width)).thenDropout("dropout", dropout));
        Sequential perceptron = Sequential.of(
                        "intermediate",
                        Sequential.of("dense", linear(width, 4 * width)).then("activation", new Gelu(false)))
                .then("output", Sequential.of("dense", linear(4 * width, width)).thenDropout("dropout", dropout));
        return Sequential.of("", Residual.of(Sequential.of("attention", attention)))
                .then("attention.output.LayerNorm", new LayerNorm(width, EPSILON))
                .then("", Residual.of(perceptron))
                .then("output.LayerNorm", new LayerNorm(width, EPSILON));
    }

    private static Linear linear(int in, int out) {
        return new Linear(in, out, InitialValues.TRANSFORMER, InitialValues.ZEROS);
    }

    @Override
    public List<String> names() {
        return List.copyOf(TABLE.keySet());
    }

    @Override
    public String describe(String base) {
        return base.equals(BASE)
                ? "BERT-base (Devlin et al. 2019) that classifies texts, as Hugging Face has it"
                : "a small BERT (Devlin et al. 2019) that classifies texts, with Hugging Face's names";
    }

    @Override
    public Task usual(String base) {
        return USUAL;
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        int positions = base.equals(BASE) ? USUAL.context() : ((TextClassification) task).context();
        SortedMap<String, String> arguments =
                Objects.requireNonNull(TABLE.get(base)).arguments();
        arguments.put(POSITIONS, Integer.toString(positions));
        arguments.put(TransformerSize.DROPOUT, "0.1");
        return arguments;
    }
}
