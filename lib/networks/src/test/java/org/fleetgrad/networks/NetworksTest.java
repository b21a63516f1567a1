package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class NetworksTest {

    @Test
    void shouldListTheZoo() {
        assertThat(Networks.names()).containsExactly("lenet5");
    }

    @Test
    void shouldDescribeLeNet5() {
        NetworkSpec spec = Networks.named("lenet5").spec();

        assertThat(spec.name()).isEqualTo("lenet5");
        assertThat(spec.inputShape()).containsExactly(1, 28, 28);
        assertThat(spec.inputSize()).isEqualTo(784);
        assertThat(spec.classes()).isEqualTo(10);
        assertThat(spec.layout().elementCount()).isEqualTo(61_706);
        assertThat(spec.layout().specs().stream().map(TensorSpec::name))
                .isSorted()
                .containsExactlyInAnyOrder(
                        "conv1.weight",
                        "conv1.bias",
                        "conv2.weight",
                        "conv2.bias",
                        "fc1.weight",
                        "fc1.bias",
                        "fc2.weight",
                        "fc2.bias",
                        "fc3.weight",
                        "fc3.bias");
    }

    @Test
    void shouldSayWhichNetworksThereAre() {
        assertThatThrownBy(() -> Networks.named("lenet6"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no network 'lenet6'; the networks are lenet5");
        assertThatThrownBy(() -> Networks.open("", Device.CPU)).isInstanceOf(IllegalArgumentException.class);
    }
}
