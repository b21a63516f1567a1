package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.InitialValues;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;
import org.junit.jupiter.api.Test;

/** Networks like GPT-2, of which one layer is another. */
class DecoderLayersTest {

    private static final String NAME = "texts?context=4&vocabulary=5";
    private static final int WIDTH = 6;
    private static final Layer POSITIONS = new PositionEmbedding("weight", List.of(4L, (long) WIDTH));
    private static final Layer NORM = new LayerNorm(WIDTH, 1e-5);
    private static final Layer ATTENTION = new SelfAttention(WIDTH, 2, true, 0.1f);
    private static final Layer HEAD = new TiedLinear("wte.weight", WIDTH, 5);

    private static Layer linear(int in, int out, Linear.Form form) {
        return new Linear(in, out, InitialValues.TRANSFORMER, Optional.of(InitialValues.ZEROS), form);
    }

    private static Layer branch(Layer first, Layer middle) {
        return Residual.of(Sequential.of("norm", NORM)
                .then("in", first)
                .then("middle", middle)
                .then("out", linear(WIDTH, WIDTH, Linear.Form.CONV1D))
                .then("drop", new Dropout(0.2f)));
    }

    private static Layer attends(Layer attention) {
        return branch(linear(WIDTH, 3 * WIDTH, Linear.Form.CONV1D), attention);
    }

    private static NetworkDefinition network(Layer positions, Layer branch, Layer norm, Layer head) {
        Sequential layers = Sequential.of("wte", new Embedding(5, WIDTH))
                .then("wpe", positions)
                .then("h", branch)
                .then("ln_f", norm)
                .then("head", head);
        return NetworkDefinition.of(NetworkName.parse(NAME), new LanguageModel(4, 5), layers);
    }

    @Test
    void shouldFindTheTensorsInTheOrderOfComputation() {
        DecoderLayers layers = DecoderLayers.of(network(POSITIONS, attends(ATTENTION), NORM, HEAD));

        assertThat(layers)
                .isEqualTo(new DecoderLayers(
                        List.of(
                                "wte.weight",
                                "wpe.weight",
                                "h.norm.weight",
                                "h.norm.bias",
                                "h.in.weight",
                                "h.in.bias",
                                "h.out.weight",
                                "h.out.bias",
                                "ln_f.weight",
                                "ln_f.bias",
                                "wte.weight"),
                        List.of(2),
                        List.of(1e-5, 1e-5),
                        WIDTH));
        assertThat(layers.attentions()).isEqualTo(1);
    }

    @Test
    void shouldCountNoKeysForABranchWithoutAttention() {
        Layer branch = branch(linear(WIDTH, WIDTH, Linear.Form.CONV1D), new Gelu(true));
        DecoderLayers layers = DecoderLayers.of(network(POSITIONS, branch, NORM, HEAD));

        assertThat(layers.heads()).containsExactly(0);
        assertThat(layers.attentions()).isZero();
    }

    private static void assertRefused(NetworkDefinition network, String message) {
        assertThatThrownBy(() -> DecoderLayers.of(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network '%s' continues no texts: %s", NAME, message);
    }

    @Test
    void shouldRefuseAttentionToLaterTokens() {
        Layer toAll = new SelfAttention(WIDTH, 2, false, 0);
        assertRefused(
                network(POSITIONS, attends(toAll), NORM, HEAD),
                "where GPT-2 has causal attention of width 6, or the tanh form of GELU, its layer 'h.middle' is "
                        + toAll);
    }

    @Test
    void shouldRefuseAttentionOfAnotherWidth() {
        Layer narrow = new SelfAttention(2, 1, true, 0);
        Layer branch = Residual.of(Sequential.of("norm", NORM)
                .then("in", linear(WIDTH, 6, Linear.Form.CONV1D))
                .then("middle", narrow)
                .then("out", linear(2, WIDTH, Linear.Form.CONV1D)));
        assertRefused(
                network(POSITIONS, branch, NORM, HEAD),
                "where GPT-2 has causal attention of width 6, or the tanh form of GELU, its layer 'h.middle' is "
                        + narrow);
    }

    @Test
    void shouldRefuseTheExactFormOfGelu() {
        Layer branch = branch(linear(WIDTH, WIDTH, Linear.Form.CONV1D), new Gelu(false));
        assertRefused(
                network(POSITIONS, branch, NORM, HEAD),
                "where GPT-2 has causal attention of width 6, or the tanh form of GELU, its layer 'h.middle' is Gelu[isTanh=false]");
    }

    @Test
    void shouldRefuseWeightsInTheOtherOrder() {
        Layer other = linear(WIDTH, 3 * WIDTH, Linear.Form.LINEAR);
        assertRefused(
                network(POSITIONS, branch(other, ATTENTION), NORM, HEAD),
                "where GPT-2 has a linear layer with weights [in, out] and a bias, its layer 'h.in' is " + other);
    }

    @Test
    void shouldRefuseALayerThatIsNoResidual() {
        assertRefused(network(POSITIONS, NORM, NORM, HEAD), "where GPT-2 has a residual, its layer 'h' is " + NORM);
    }

    @Test
    void shouldRefuseAHeadWithABias() {
        Layer head = linear(WIDTH, 5, Linear.Form.LINEAR);
        assertRefused(
                network(POSITIONS, attends(ATTENTION), NORM, head),
                "where GPT-2 has a linear layer with weights [out, in] and no bias, its layer 'head' is " + head);
    }

    @Test
    void shouldRefuseOtherPositionsAndNorms() {
        Layer rows = new PositionEmbedding("pos_embedding", List.of(1L, 4L, (long) WIDTH));
        Layer linear = linear(WIDTH, WIDTH, Linear.Form.CONV1D);
        assertRefused(
                network(rows, attends(ATTENTION), NORM, HEAD), "where GPT-2 has positions, its layer 'wpe' is " + rows);
        assertRefused(
                network(POSITIONS, attends(ATTENTION), linear, HEAD),
                "where GPT-2 has a layer norm, its layer 'ln_f' is " + linear);
    }

    @Test
    void shouldRefuseFewerLayers() {
        Sequential layers = Sequential.of("wte", new Embedding(5, WIDTH)).then("head", HEAD);
        assertRefused(
                NetworkDefinition.of(NetworkName.parse(NAME), new LanguageModel(4, 5), layers),
                "GPT-2 has 4 layers or more; it has 2");
    }
}
