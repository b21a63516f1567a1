package org.fleetgrad.worker.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.fleetgrad.pipeline.channel.socket.RunToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageArgumentsTest {

    private static final RunToken TOKEN = RunToken.draw();
    private static final Map<String, String> ENVIRONMENT = Map.of("FLEETGRAD_STAGE_TOKEN", TOKEN.text());

    @Test
    void shouldReadSeveralStages() {
        StageArguments arguments = StageArguments.parse(
                List.of("--driver", "127.0.0.1:4711", "--stages", "0,1,12", "--listen", "0.0.0.0"), ENVIRONMENT);

        assertThat(arguments.driver().getPort()).isEqualTo(4711);
        assertThat(arguments.stages()).containsExactly(0, 1, 12);
        assertThat(arguments.listen()).isEqualTo("0.0.0.0");
        assertThat(arguments.token().text()).isEqualTo(TOKEN.text());
    }

    @Test
    void shouldListenOnLoopbackUnlessToldOtherwise() {
        assertThat(StageArguments.parse(List.of("--stages", "3", "--driver", "host:1"), ENVIRONMENT)
                        .listen())
                .isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--driver host --stages 0|--driver must be HOST:PORT; it is 'host'",
                "--driver host:1 --stages a|--stages must be numbers from 0, with commas between them; it is 'a'",
                "--driver host:1|--stages must be numbers from 0",
                "--driver host:1 --stages 0 --port 3|port' is no option"
            })
    void shouldRefuseOtherWordsWithWhatToWrite(String words, String message) {
        assertThatThrownBy(() -> StageArguments.parse(List.of(words.split(" ", -1)), ENVIRONMENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("stage --driver HOST:PORT --stages 0[,1...]");
    }

    /** The message must not repeat the secret. */
    @Test
    void shouldRefuseAMalformedTokenWithoutRepeatingIt() {
        assertThatThrownBy(() -> StageArguments.parse(
                        List.of("--driver", "host:1", "--stages", "0"), Map.of("FLEETGRAD_STAGE_TOKEN", "abc")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a run's token has 64 hexadecimal digits; this has 3 characters");
    }
}
