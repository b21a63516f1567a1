package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.assertj.core.api.AbstractThrowableAssert;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.web.StartRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The server's messages when it starts, or refuses to start. */
@ExtendWith(OutputCaptureExtension.class)
class InsecureStartTest {

    private static final String[] KEYS = {
        "ps.security.keys.worker.access-key=w", "ps.security.keys.worker.secret-key=the-secret-of-workers"
    };

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "198.51.100.7"})
    void shouldRefuseToStartWithoutKeysWhereOthersCanReachIt(String address, CapturedOutput output) {
        refused("server.address=" + address)
                .hasMessageContaining("other machines can reach server.address, and there are no keys")
                .hasMessageContaining("ps.security.keys.worker.access-key");

        assertThat(output)
                .contains(
                        "APPLICATION FAILED TO START", "there are no keys: anybody could read and overwrite the model")
                .contains("docs/configuration.md")
                // A reason and no stack trace.
                .doesNotContain("\tat org.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.1.2.3"})
    void shouldWarnOnceWithoutKeysOnThisMachine(String address, CapturedOutput output) {
        try {
            RunningService.start("server.address=" + address).close();
            assertThat(output.getOut().split("SECURITY IS OFF", -1)).hasSize(2);
            assertThat(output).containsPattern("WARN .*SECURITY IS OFF");
        } catch (RuntimeException noSuchAddress) {
            // A machine without IPv6 has no ::1 to listen on; the decision under test is made before that.
            assertThat(address).isNotEqualTo("127.0.0.1").isNotEqualTo("localhost");
            assertThat(output).contains("SECURITY IS OFF");
        }
    }

    @Test
    void shouldWarnOfKeysInTheClear(CapturedOutput output) {
        RunningService.start(with("server.address=0.0.0.0")).close();

        assertThat(output).containsPattern("WARN .*keys and tokens travel in the clear");
        assertThat(output).doesNotContain("SECURITY IS OFF", "the-secret-of-workers");
    }

    @Test
    void shouldSayNothingOfKeysOnThisMachine(CapturedOutput output) {
        RunningService.start(KEYS).close();

        assertThat(output).doesNotContain("SECURITY IS OFF", "in the clear", "the-secret-of-workers");
    }

    @Test
    void shouldNotPrintTheKeyThatIsWrong(CapturedOutput output) {
        refused("ps.security.keys.worker.access-key=w", "ps.security.keys.worker.secret-key=sesame7")
                .hasMessageContaining("ps.security.keys.worker.secret-key has 7 characters; write 8 or more");
        refused("ps.security.keys.reader.secret-key=sesame-in-full")
                .hasMessageContaining("ps.security.keys.reader.access-key is missing");

        assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("sesame");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ps.security.token-lifetime=1s|ps.security.token-lifetime is PT1S; write 10s to 24h, such as 15m",
                "ps.security.token-key-file=/no/such/file|ps.security.token-key-file cannot be read",
                "management.server.port=29999|management.server.port 29999 would serve actuator to other machines",
                "server.servlet.context-path=/fleet|server.servlet.context-path is '/fleet', but the routes have no prefix"
            })
    void shouldRefuseASettingThatMakesNoSense(String row) {
        String[] parts = row.split("\\|");

        refused(with("server.address=0.0.0.0", parts[0])).hasMessageContaining(parts[1]);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(String... settings) {
        return assertThatThrownBy(() -> RunningService.start(settings).close())
                .isInstanceOf(StartRefusedException.class);
    }

    private static String[] with(String... more) {
        String[] all = Arrays.copyOf(KEYS, KEYS.length + more.length);
        System.arraycopy(more, 0, all, KEYS.length, more.length);
        return all;
    }
}
