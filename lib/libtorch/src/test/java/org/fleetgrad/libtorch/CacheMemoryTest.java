package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
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
}
