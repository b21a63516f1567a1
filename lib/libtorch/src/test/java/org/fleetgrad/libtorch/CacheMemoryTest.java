package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.junit.jupiter.api.Test;

class CacheMemoryTest {

    private static final NetworkDefinition SMALL =
            Networks.usual("gpt2?layers=4&heads=4&width=128&context=64&vocabulary=65");

    @Test
    void shouldCountAKeyAndAValueForEachLayer() {
        assertThat(CacheMemory.bytesOfToken(SMALL)).isEqualTo(4 * 2 * 128 * 4);
        assertThat(CacheMemory.bytesOfToken(Networks.usual("gpt2"))).isEqualTo(12 * 2 * 768 * 4);
    }

    @Test
    void shouldCountNoMoreTokensThanTheContext() {
        assertThat(CacheMemory.bytes(SMALL, 10)).isEqualTo(10 * 4096);
        assertThat(CacheMemory.bytes(SMALL, 64)).isEqualTo(64 * 4096);
        assertThat(CacheMemory.bytes(SMALL, 1_000_000)).isEqualTo(64 * 4096);
    }

    @Test
    void shouldRefuseATextWithoutTokens() {
        assertThatThrownBy(() -> CacheMemory.bytes(SMALL, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a text has 1 token or more; asked for were 0");
    }

    @Test
    void shouldRefuseANetworkForImages() {
        NetworkDefinition network = Networks.usual("lenet5");
        assertThatThrownBy(() -> CacheMemory.bytesOfToken(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network '%s' continues no texts: it takes images of [1, 28, 28] in 10 classes"
                        .formatted(network.spec().name()));
    }

    private static NetworkDefinition ofTexts(Sequential layers) {
        return NetworkDefinition.of(NetworkName.parse("texts?context=4&vocabulary=5"), new LanguageModel(4, 5), layers);
    }

    @Test
    void shouldRefuseAttentionToLaterTokens() {
        SelfAttention toAll = new SelfAttention(5, 1, false, 0);
        NetworkDefinition network = ofTexts(Sequential.of("wte", new Embedding(5, 15))
                .then("attention", toAll)
                .then("head", Linear.standard(5, 5)));
        assertThatThrownBy(() -> CacheMemory.bytesOfToken(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the network 'texts?context=4&vocabulary=5' continues no texts: a token's output would depend on later tokens, or on their number, by the layer "
                                + toAll);
    }

    @Test
    void shouldRefuseAHeadThatIsNotLinear() {
        NetworkDefinition network =
                ofTexts(Sequential.of("wte", new Embedding(5, 5)).then("norm", new LayerNorm(5, 1e-5)));
        assertThatThrownBy(() -> CacheMemory.bytesOfToken(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the network 'texts?context=4&vocabulary=5' continues no texts: its last layer is not linear");
    }
}
