package org.example.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;

/** The example joins the zoo, and has the tensors that its page promises. */
class MyNetTest {

    @Test
    void shouldJoinTheNetworksThereAre() {
        assertThat(Networks.names()).contains("my-net", "lenet5");
    }

    @Test
    void shouldHaveTheTensorsOfItsLayers() {
        NetworkSpec spec = Networks.named("my-net", List.of(1, 28, 28), 10).spec();

        assertThat(spec.name()).isEqualTo("my-net?classes=10&input=1x28x28");
        assertThat(spec.layout().specs().stream().map(tensor -> tensor.name() + tensor.shape()))
                .containsExactly("conv.bias[8]", "conv.weight[8, 1, 5, 5]", "fc.bias[10]", "fc.weight[10, 1568]");
        // 8 * 25 + 8, and 1568 * 10 + 10.
        assertThat(spec.parameterCount()).isEqualTo(15_898);
    }

    @Test
    void shouldTakeOtherImages() {
        assertThat(Networks.named("my-net", List.of(3, 32, 32), 100).spec().parameterCount())
                .isEqualTo(3 * 8 * 25 + 8 + 8 * 16 * 16 * 100 + 100);
    }
}
