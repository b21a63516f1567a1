package org.fleetgrad.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.InvokerSettings.InDocker;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class InvokerOptionsTest {

    @Command
    private static final class Train {
        @Mixin
        private final InvokerOptions options = new InvokerOptions();
    }

    @Test
    void shouldChooseTheImageAndTheMemoryOfAWorkerByItsDevice() {
        InDocker onProcessor = (InDocker) settings("cpu", "--invoker docker");
        InDocker onGpu = (InDocker) settings("cuda", "--invoker docker");

        assertThat(onProcessor.memoryBytes()).isEqualTo(256L << 20);
        assertThat(onGpu.memoryBytes()).isEqualTo(4L << 30);
        assertThat(onGpu.image()).isEqualTo(onProcessor.image() + "-gpu");
    }

    @Test
    void shouldPreferWhatTheUserStates() {
        InDocker stated = (InDocker) settings("cuda:1", "--invoker docker --image own/worker --memory 1g");

        assertThat(stated.image()).isEqualTo("own/worker");
        assertThat(stated.memoryBytes()).isEqualTo(1L << 30);
    }

    @Test
    void shouldRefuseAGpuInAJavaRuntimeThatHasNone() {
        String options = "--invoker openwhisk --server-address 172.17.0.1 --action-kind java";

        assertThatThrownBy(() -> settings("cuda", options))
                .hasMessage(
                        "--action-kind java: docker/build makes no Java runtime with libtorch for CUDA; leave --device out, or pass --action-kind docker");
        assertThat(settings("cuda", options + " --image own/runtime").name()).isEqualTo("openwhisk");
    }

    private static InvokerSettings settings(String device, String arguments) {
        Train train = new Train();
        new CommandLine(train).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.split(" "));
        return train.options.settings(DeviceSettings.parse(device));
    }
}
