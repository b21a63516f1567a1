package org.fleetgrad.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MlflowServerTest {

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:5000,http://127.0.0.1:5000",
        "http://127.0.0.1:5000/,http://127.0.0.1:5000",
        "HTTPS://ml.example.org/mlflow//,https://ml.example.org/mlflow",
        "http://[::1]:5000,http://[::1]:5000"
    })
    void shouldReadAnAddress(String text, String address) {
        MlflowServer server = MlflowServer.parse(text, Map.of());

        assertThat(server.address()).isEqualTo(URI.create(address));
        assertThat(server.authorization()).isEmpty();
        assertThat(server.at("/api")).isEqualTo(URI.create(address + "/api"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mlruns",
                "file:///tmp/mlruns",
                "sqlite:///mlflow.db",
                "databricks",
                "http://",
                "127.0.0.1:5000"
            })
    void shouldSayWhatToWriteForWhatIsNoAddressOfHttp(String text) {
        assertThatThrownBy(() -> MlflowServer.parse(text, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://127.0.0.1:5000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h/#/experiments/1", "http://h/?a=b"})
    void shouldRejectTheAddressOfAPage(String text) {
        assertThatThrownBy(() -> MlflowServer.parse(text, Map.of())).hasMessageContaining("leave out what follows");
    }

    /** The JDK finds no user before a host with '_'. */
    @ParameterizedTest
    @ValueSource(strings = {"http://me:secret@h:5000", "http://me:secret@my_host:5000"})
    void shouldQuoteNoPasswordOfAnAddress(String text) {
        assertThatThrownBy(() -> MlflowServer.parse(text, Map.of()))
                .hasMessageContaining(MlflowServer.PASSWORD)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:sec ret@h", "ftp://secret@h", "me:secret@h", "http://h/?token=secret"})
    void shouldQuoteNoPasswordOfWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> MlflowServer.parse(text, Map.of()))
                .hasNoCause()
                .hasMessageNotContaining("ret");
    }

    @Test
    void shouldTakeTheCredentialsFromTheVariablesOfMlflowsClients() {
        assertThat(MlflowServer.parse("http://h", Map.of(MlflowServer.TOKEN, "t0ken"))
                        .authorization())
                .contains("Bearer t0ken");
        // RFC 7617 has this example.
        assertThat(MlflowServer.parse(
                                "http://h",
                                Map.of(
                                        MlflowServer.USERNAME, "Aladdin",
                                        MlflowServer.PASSWORD, "open sesame",
                                        MlflowServer.TOKEN, "t"))
                        .authorization())
                .contains("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    }

    @Test
    void shouldRejectATokenThatWouldBreakTheHeader() {
        assertThatThrownBy(() -> MlflowServer.parse("http://h", Map.of(MlflowServer.TOKEN, "a\r\nb: c")))
                .hasMessageContaining(MlflowServer.TOKEN)
                .hasMessageNotContaining("b: c");
    }

    @Test
    void shouldHideTheCredentialsInWhatAServerWrites() {
        MlflowServer server = MlflowServer.parse("http://h", Map.of(MlflowServer.TOKEN, "t0ken"));

        assertThat(server.hideIn("no Bearer t0ken, no t0ken")).isEqualTo("no [hidden], no [hidden]");
        assertThat(server).hasToString("http://h");
    }
}
