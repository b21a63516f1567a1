package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.InitialValues;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;

/**
 * GPT-2 (A. Radford et al. 2019) with the names, shapes and initial values of Hugging Face's {@code GPT2LMHeadModel}: layers that
 * normalize first, causal attention, the tanh form of GELU. {@code tied=yes}, the default, computes the logits by the token
 * embedding. GPT-2 large and XL are not here, because a parameter set has at most 2 GiB. The output of each residual is
 * initialized with a standard deviation of 0.02 / sqrt(2 layers).
 */
final class Gpt2 implements NetworkFamily {

    private static final String TIED = "tied";
    private static final double EPSILON = 1e-5;

    /** Number of positions and of tokens that the published models have. */
    private static final Task USUAL = new LanguageModel(1024, 50_257);

    private static final SortedMap<String, TransformerSize> TABLE = new TreeMap<>(Map.of(
            "gpt2", new TransformerSize(12, 12, 768),
            "gpt2-medium", new TransformerSize(24, 16, 1024)));

    @Override
    public NetworkDefinition define(NetworkName name) {
        LanguageModel task = (LanguageModel) USUAL.stated(name);
        int layers = name.number(TransformerSize.LAYERS, 1000);
        int width = name.number(TransformerSize.WIDTH, 65_536);
        int heads = name.number(TransformerSize.HEADS, 65_536);
        float dropout = name.probability(TransformerSize.DROPOUT);
        Sequential transformer = Sequential.of("wte", new Embedding(task.vocabulary(), width))
                .then("wpe", new PositionEmbedding("weight", List.of((long) task.context(), (long) width)))
                .thenDropout("drop", dropout);
        List<Layer> hidden = new ArrayList<>();
        InitialValues ofOutput = new InitialValues.Normal(0.02 / Math.sqrt(2.0 * layers));
        for (int i = 0; i < layers; i++) {
            hidden.add(layer(width, heads, dropout, ofOutput));
        }
        transformer = transformer.then("h", Sequential.numbered(hidden)).then("ln_f", new LayerNorm(width, EPSILON));
        boolean isTied = name.isYes(TIED);
        return NetworkDefinition.of(
                name,
                task,
                Sequential.of("transformer", transformer)
                        .then(
                                "lm_head",
                                isTied
                                        ? new TiedLinear("transformer.wte.weight", width, task.vocabulary())
                                        : new Linear(
                                                width,
                                                task.vocabulary(),
                                                InitialValues.TRANSFORMER,
                                                Optional.empty(),
                                                Linear.Form.LINEAR)));
    }

    private static Sequential layer(int width, int heads, float dropout, InitialValues ofOutput) {
        Sequential attention = Sequential.of("c_attn", linear(width, 3 * width, InitialValues.TRANSFORMER))
                .then("attention", new SelfAttention(width, heads, true, dropout))
                .then("c_proj", linear(width, width, ofOutput))
                .thenDropout("resid_dropout", dropout);
        Sequential mlp = Sequential.of("c_fc", linear(width, 4 * width, InitialValues.TRANSFORMER))
                .then("act", new Gelu(true))
                .then("c_proj", linear(4 * width, width, ofOutput))
                .thenDropout("dropout", dropout);
        Sequential first = Sequential.of("ln_1", new LayerNorm(width, EPSILON)).then("attn", attention);
        Sequential second = Sequential.of("ln_2", new LayerNorm(width, EPSILON)).then("mlp", mlp);
        return Sequential.of("", Residual.of(first)).then("", Residual.of(second));
    }

    private static Linear linear(int in, int out, InitialValues weight) {
        return new Linear(in, out, weight, Optional.of(InitialValues.ZEROS), Linear.Form.CONV1D);
    }

    @Override
    public List<String> names() {
        return List.copyOf(TABLE.keySet());
    }

    @Override
    public String describe(String base) {
        return "%s (Radford et al. 2019), as Hugging Face has it".formatted(base.replace("gpt2", "GPT-2"));
    }

    @Override
    public Task usual(String base) {
        return USUAL;
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        SortedMap<String, String> arguments =
                Objects.requireNonNull(TABLE.get(base)).arguments();
        arguments.put(TransformerSize.DROPOUT, "0.1");
        arguments.put(TIED, "yes");
        return arguments;
    }
}
