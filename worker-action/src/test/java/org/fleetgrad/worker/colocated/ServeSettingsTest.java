package org.fleetgrad.worker.colocated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.ReaderKeys;
import org.fleetgrad.worker.colocated.ServeSettings.ServeMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeSettingsTest {

    @Test
    void shouldServeNothingWithoutAPort() {
        assertThat(ServeSettings.read(Map.of(ServeSettings.MODE, "live"))).isEmpty();
    }

    @Test
    void shouldAnswerBetweenBatchesOnThisMachineOnlyUnlessTold() {
        Map<String, String> environment = Map.of(ServeSettings.PORT, "29700");
        assertThat(ServeSettings.read(environment))
                .contains(new ServeSettings(
                        ServeMode.INTERLEAVED,
                        1,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 29700),
                        Optional.empty(),
                        new ReaderKeys("WORKER_SERVE_", environment)));
    }

    @Test
    void shouldTakeWhatIsStated() {
        Map<String, String> environment = Map.of(
                ServeSettings.PORT,
                "0",
                ServeSettings.MODE,
                "thread",
                ServeSettings.EVERY,
                "16",
                ServeSettings.ADDRESS,
                "0.0.0.0",
                ServeSettings.URL,
                "https://worker-1:443",
                "WORKER_SERVE_ACCESS_KEY",
                "reader",
                "WORKER_SERVE_SECRET_KEY",
                "secret-of-reader");
        assertThat(ServeSettings.read(environment))
                .contains(new ServeSettings(
                        ServeMode.THREAD,
                        16,
                        new InetSocketAddress("0.0.0.0", 0),
                        Optional.of(URI.create("https://worker-1:443")),
                        new ReaderKeys("WORKER_SERVE_", environment)));
    }

    @Test
    void shouldSayAnAddressThatOthersCanCall() throws Exception {
        ServeSettings anywhere = ServeSettings.read(Map.of(
                        ServeSettings.PORT,
                        "0",
                        ServeSettings.ADDRESS,
                        "0.0.0.0",
                        "WORKER_SERVE_ACCESS_KEY",
                        "reader",
                        "WORKER_SERVE_SECRET_KEY",
                        "secret-of-reader"))
                .orElseThrow();
        ServeSettings here = ServeSettings.read(Map.of(ServeSettings.PORT, "0")).orElseThrow();

        assertThat(here.reachedAt(4711)).hasToString("http://127.0.0.1:4711");
        assertThat(anywhere.reachedAt(4711).getHost())
                .isEqualTo(InetAddress.getLocalHost().getHostAddress())
                .isNotEqualTo("0.0.0.0");
    }

    @Test
    void shouldRefuseToAnswerOtherMachinesWithoutKeys() {
        assertThatThrownBy(() -> ServeSettings.read(Map.of(ServeSettings.PORT, "0", ServeSettings.ADDRESS, "0.0.0.0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "WORKER_SERVE_ADDRESS is 0.0.0.0, which other machines can reach, and there are no keys: anybody could ask for predictions. Write WORKER_SERVE_ACCESS_KEY and WORKER_SERVE_SECRET_KEY (or WORKER_SERVE_SECRET_KEY_FILE), or WORKER_SERVE_ADDRESS 127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            WORKER_SERVE|many|WORKER_SERVE must be a whole number from 0 to 65535; it is 'many'
            WORKER_SERVE|65536|WORKER_SERVE must be a whole number from 0 to 65535; it is '65536'
            WORKER_SERVE_MODE|fast|WORKER_SERVE_MODE must be interleaved or thread or live; it is 'fast'
            WORKER_SERVE_EVERY|0|WORKER_SERVE_EVERY must be a whole number from 1 to 1000000; it is '0'
            """)
    void shouldNameWhatIsWrong(String name, String value, String message) {
        Map<String, String> environment = new HashMap<>(Map.of(ServeSettings.PORT, "0"));
        environment.put(name, value);
        assertThatThrownBy(() -> ServeSettings.read(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldNameAnAddressThatIsNone() {
        assertThatThrownBy(() -> ServeSettings.read(Map.of(ServeSettings.PORT, "0", ServeSettings.URL, "worker:1")))
                .hasMessageStartingWith("'WORKER_SERVE_URL' must be an http or https address");
        assertThatThrownBy(() ->
                        ServeSettings.read(Map.of(ServeSettings.PORT, "0", ServeSettings.ADDRESS, "nowhere.invalid")))
                .hasMessage(
                        "WORKER_SERVE_ADDRESS must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; 'nowhere.invalid' is none that can be found");
    }
}
