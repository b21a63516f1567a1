package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.client.Credentials.KeySetting;
import org.fleetgrad.protocol.messages.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialsTest {

    @TempDir
    private Path folder;

    @Test
    void shouldBeEmptyWhereNothingIsSet() {
        assertThat(ClientOptions.DEFAULT.withEnvironment(Map.of()).credentials())
                .isEmpty();
        assertThat(ClientOptions.DEFAULT
                        .withEnvironment(Map.of(
                                "FLEETGRAD_ACCESS_KEY",
                                "",
                                "FLEETGRAD_SECRET_KEY",
                                "",
                                "FLEETGRAD_SECRET_KEY_FILE",
                                "",
                                "FLEETGRAD_TRUST",
                                ""))
                        .credentials())
                .isEmpty();
        assertThat(ClientOptions.DEFAULT.withEnvironment(Map.of()).trust()).isEmpty();
    }

    @Test
    void shouldReadKeysInPlaceAndFromFiles() throws IOException {
        Path access = Files.writeString(folder.resolve("a"), "access\n");
        Path secret = Files.writeString(folder.resolve("s"), " a secret of words\r\n");

        assertThat(ClientOptions.DEFAULT
                        .withEnvironment(Map.of("FLEETGRAD_ACCESS_KEY", "a", "FLEETGRAD_SECRET_KEY", "s"))
                        .credentials())
                .contains(new Credentials("a", "s"));
        assertThat(ClientOptions.DEFAULT
                        .withEnvironment(Map.of(
                                "FLEETGRAD_ACCESS_KEY_FILE",
                                access.toString(),
                                "FLEETGRAD_SECRET_KEY_FILE",
                                secret.toString()))
                        .credentials())
                .contains(new Credentials("access", " a secret of words"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ACCESS_KEY=a|FLEETGRAD_ACCESS_KEY is set and FLEETGRAD_SECRET_KEY is not; write FLEETGRAD_SECRET_KEY or FLEETGRAD_SECRET_KEY_FILE too",
                "SECRET_KEY=s|FLEETGRAD_SECRET_KEY is set and FLEETGRAD_ACCESS_KEY is not; write FLEETGRAD_ACCESS_KEY or FLEETGRAD_ACCESS_KEY_FILE too",
                "ACCESS_KEY=a,SECRET_KEY=s,SECRET_KEY_FILE=/x|FLEETGRAD_SECRET_KEY and FLEETGRAD_SECRET_KEY_FILE are both set; write one",
                "ACCESS_KEY=a,SECRET_KEY_FILE=/no/file|FLEETGRAD_SECRET_KEY_FILE names a file that cannot be read: java.nio.file.NoSuchFileException: /no/file",
                "TRUST=/no/file|the certificate to trust cannot be read: java.nio.file.NoSuchFileException: /no/file"
            })
    void shouldSayWhatToWriteInstead(String variables, String message) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.split(",")) {
            String[] parts = variable.split("=");
            environment.put("FLEETGRAD_" + parts[0], parts[1]);
        }

        assertThatThrownBy(() -> ClientOptions.DEFAULT.withEnvironment(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseAFileThatIsNoKey() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        Path large = Files.writeString(folder.resolve("large"), "x".repeat(5000));

        assertThatThrownBy(() -> new KeySetting("K", null, "F", empty.toString()).read())
                .hasMessage("F names %s, which is empty; write the key into it", empty);
        assertThatThrownBy(() -> new KeySetting("K", null, "F", large.toString()).read())
                .hasMessage("F names %s, which has more than 4096 bytes; write a file with the key alone", large);
        assertThat(new KeySetting("K", "the-key", "F", null).toString()).doesNotContain("the-key");
    }

    @Test
    void shouldRefuseAnEmptyKey() {
        assertThatThrownBy(() -> new Credentials("", "s")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Credentials("a", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldNameTheTwoVariablesAfterA401Only() {
        ProblemException refused = refusal(401);

        assertThat(Credentials.advice(refused, Map.of()))
                .isEqualTo("; the server asks for keys: set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY"
                        + " (or FLEETGRAD_SECRET_KEY_FILE)");
        assertThat(Credentials.advice(refused, Map.of("FLEETGRAD_ACCESS_KEY_FILE", "a")))
                .isEqualTo("; correct FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE)");
        assertThat(Credentials.advice(refusal(403), Map.of())).isEmpty();
    }

    private static ProblemException refusal(int status) {
        return new ProblemException("GET /status", new Problem(null, null, status, status, "no", null));
    }
}
