package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.fleetgrad.inference.InferenceApplication;
import org.fleetgrad.web.StartRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What the service logs about its keys when it starts, or refuses to start. */
@ExtendWith(OutputCaptureExtension.class)
class InferenceStartTest {

    private static final String[] KEYS = {
        "inference.security.keys.reader.access-key=r", "inference.security.keys.reader.secret-key=the-secret-of-readers"
    };

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "198.51.100.7"})
    void shouldRefuseToStartWithoutKeysWhereOthersCanReachIt(String address, CapturedOutput output) {
        refused("server.address=" + address)
                .hasMessage("other machines can reach server.address, and there are no keys: anybody could ask for"
                        + " predictions and change what is served. Write inference.security.keys.reader.access-key and"
                        + " inference.security.keys.reader.secret-key (and likewise for worker, evaluator, operator), or"
                        + " server.address=127.0.0.1");

        assertThat(output)
                .contains("APPLICATION FAILED TO START", "docs/configuration.md")
                // A reason and no stack trace.
                .doesNotContain("\tat org.");
    }

    @Test
    void shouldWarnOnceWithoutKeysOnThisMachine(CapturedOutput output) {
        start().close();

        assertThat(output.getOut().split("SECURITY IS OFF", -1)).hasSize(2);
        assertThat(output).contains("(inference.security.keys)");
    }

    @Test
    void shouldWarnOfKeysInTheClear(CapturedOutput output) {
        start(with("server.address=0.0.0.0")).close();

        assertThat(output).containsPattern("WARN .*keys and tokens travel in the clear");
        assertThat(output).doesNotContain("SECURITY IS OFF", "the-secret-of-readers");
    }

    @Test
    void shouldNotPrintTheKeyThatIsWrong(CapturedOutput output) {
        refused("inference.security.keys.reader.access-key=r", "inference.security.keys.reader.secret-key=sesame7")
                .hasMessageContaining("inference.security.keys.reader.secret-key has 7 characters; write 8 or more");
        refused("inference.security.keys.client.access-key=r", "inference.security.keys.client.secret-key=sesame-all")
                .hasMessage("inference.security.keys.client is of no role; write one of worker, reader, evaluator,"
                        + " operator");

        assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("sesame");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inference.security.token-lifetime=1s|inference.security.token-lifetime is PT1S; write 10s to 24h",
                "inference.security.token-key-file=/no/such|inference.security.token-key-file cannot be read",
                "management.server.port=29999|management.server.port 29999 would serve actuator to other machines"
            })
    void shouldRefuseASettingThatMakesNoSense(String row) {
        String[] parts = row.split("\\|");

        refused(with("server.address=0.0.0.0", parts[0])).hasMessageContaining(parts[1]);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(String... settings) {
        return assertThatThrownBy(() -> start(settings).close()).isInstanceOf(StartRefusedException.class);
    }

    private static ConfigurableApplicationContext start(String... settings) {
        return SpringApplication.run(
                InferenceApplication.class,
                Stream.concat(
                                Stream.of("--server.port=0", "--inference.server=http://127.0.0.1:1"),
                                Arrays.stream(settings).map(setting -> "--" + setting))
                        .toArray(String[]::new));
    }

    private static String[] with(String... more) {
        return Stream.concat(Arrays.stream(KEYS), Arrays.stream(more)).toArray(String[]::new);
    }
}
