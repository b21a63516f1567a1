package org.fleetgrad.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.ServingSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ServingOptionsTest {

    @Command(name = "train")
    private static final class Train {
        @Mixin
        private final InvokerOptions invoker = new InvokerOptions();

        @Mixin
        private final ServingOptions options = new ServingOptions();
    }

    private static ServingSettings settings(String arguments) {
        Train train = new Train();
        new CommandLine(train)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        InvokerSettings invoker = train.invoker.settings(DeviceSettings.CPU);
        return train.options.settings(invoker);
    }

    @Test
    void shouldStartOneInferenceApiAndNoServingWorkersUnlessTold() {
        assertThat(settings("")).isEqualTo(ServingSettings.DEFAULT);
    }

    @Test
    void shouldTakeWhatIsStated() {
        assertThat(settings("--serve-on-workers thread --serve-every 16 --replicas 3 --evaluation-share 0.2"))
                .isEqualTo(new ServingSettings(3, Optional.of("thread"), 16, 0.2, false));
        assertThat(settings("--serve-on-workers Interleaved"))
                .isEqualTo(new ServingSettings(1, Optional.of("interleaved"), 1, 0.05, false));
        assertThat(settings("--learn-from-feedback").isLearning()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --serve-every 2|--serve-every is an option of --serve-on-workers thread
            --serve-on-workers live --serve-every 2|--serve-every is an option of --serve-on-workers thread
            --serve-on-workers thread --serve-every 0|--serve-every must be from 1 to 1000000; it is 0
            --evaluation-share 0|--evaluation-share must be from 0.001 to 1; it is 0.0
            --evaluation-share NaN|--evaluation-share must be from 0.001 to 1; it is NaN
            --replicas 2 --learn-from-feedback|--learn-from-feedback needs the one inference API that gave the answers; --replicas is 2
            --replicas 0|--replicas must be from 1 to 64; it is 0
            --invoker docker --serve-on-workers live|--serve-on-workers is an option of --invoker local, whose workers run all the time; the invoker is docker
            """)
    void shouldSayWhatIsWrong(String arguments, String message) {
        assertThatThrownBy(() -> settings(arguments)).hasMessage(message);
    }
}
