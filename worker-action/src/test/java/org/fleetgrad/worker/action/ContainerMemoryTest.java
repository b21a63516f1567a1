package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;

class ContainerMemoryTest {

    private static final long MB = 1 << 20;
    private static final NetworkSpec VGG = Networks.usual("vgg19").spec();

    @Test
    void shouldSayWithNumbersThatTheHeapIsTooSmall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ContainerMemory(512 * MB, OptionalLong.empty()).requireFits(VGG))
                .withMessageContaining("needs a heap of 2323.8 MB; this worker's is 536.9 MB");
    }

    @Test
    void shouldSayWithNumbersThatTheContainerIsTooSmall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ContainerMemory(4096 * MB, OptionalLong.of(3900 * MB)).requireFits(VGG))
                .withMessageContaining("needs 4163.2 MB")
                .withMessageContaining("this container has 4089.4 MB");
    }

    @Test
    void shouldSayThatTheContainerIsTooSmallForAnyWorker() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ContainerMemory(32 * MB, OptionalLong.of(128 * MB)).requireWorker())
                .withMessage(
                        "a worker needs memory of 134 MiB before its network; this container has 128 MiB: give it more memory, such as 256 MiB");
        assertThatCode(() -> new ContainerMemory(32 * MB, OptionalLong.of(134 * MB)).requireWorker())
                .doesNotThrowAnyException();
        assertThatCode(() -> new ContainerMemory(32 * MB, OptionalLong.empty()).requireWorker())
                .doesNotThrowAnyException();
    }

    @Test
    void shouldLetASmallNetworkIntoOpenWhisksDefault() {
        assertThatCode(() -> new ContainerMemory(64 * MB, OptionalLong.of(256 * MB))
                        .requireFits(Networks.usual("lenet5").spec()))
                .doesNotThrowAnyException();
        assertThatCode(() -> new ContainerMemory(64 * MB, OptionalLong.of(256 * MB))
                        .requireFits(Networks.usual("resnet20").spec()))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldFindTheMemoryOfThisMachine() {
        assertThatCode(() -> ContainerMemory.here()
                        .requireFits(Networks.usual("lenet5").spec()))
                .doesNotThrowAnyException();
    }
}
