package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenWhiskEnvironmentTest {

    private static final String HOST = "OPENWHISK_APIHOST";
    private static final String AUTH = "OPENWHISK_AUTH";

    @TempDir
    private Path folder;

    @Test
    void shouldReadAddressAndKey() {
        OpenWhiskEnvironment read =
                OpenWhiskEnvironment.read(Map.of(HOST, "http://host:3233", AUTH, "u:k", "OPENWHISK_TRUST", ""));

        assertThat(read.host()).hasToString("http://host:3233/api/v1");
        assertThat(read.auth().header()).isEqualTo(WhiskAuth.parse("u:k").header());
        assertThat(read.trust()).isEmpty();
        assertThat(read.client()).hasToString("OpenWhiskClient[http://host:3233/api/v1]");
        assertThat(read.toString()).doesNotContain("u:k");
    }

    @Test
    void shouldReadTheKeyFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("auth"), "u:k\n");

        assertThat(OpenWhiskEnvironment.read(Map.of(HOST, "host", "OPENWHISK_AUTH_FILE", file.toString()))
                        .auth()
                        .header())
                .isEqualTo(WhiskAuth.parse("u:k").header());
    }

    @Test
    void shouldNameTheVariableThatIsMissingOrWrong() throws IOException {
        refuses(
                Map.of(),
                "OPENWHISK_APIHOST is not set; write the controller's address, such as http://127.0.0.1:3233");
        refuses(
                Map.of(HOST, "ftp://host", AUTH, "u:k"),
                "OPENWHISK_APIHOST: the address of OpenWhisk must be like https://host or http://host:3233; it is 'ftp://host'");
        refuses(
                Map.of(HOST, "host"),
                "neither OPENWHISK_AUTH nor OPENWHISK_AUTH_FILE is set; write uuid:key, as 'wsk property get --auth' shows it");
        refuses(
                Map.of(HOST, "host", AUTH, "u:k", "OPENWHISK_AUTH_FILE", "file"),
                "OPENWHISK_AUTH and OPENWHISK_AUTH_FILE are both set; write one");
        refuses(
                Map.of(HOST, "host", AUTH, "uuid"),
                "OPENWHISK_AUTH: the key of OpenWhisk must be like uuid:key, as 'wsk property get --auth' shows it;"
                        + " the value has 4 characters and no colon");
        Path absent = folder.resolve("absent");
        refuses(
                Map.of(HOST, "host", "OPENWHISK_AUTH_FILE", absent.toString()),
                "OPENWHISK_AUTH_FILE: the file cannot be read: java.nio.file.NoSuchFileException: " + absent);
        Path large = Files.writeString(folder.resolve("large"), "k".repeat(4097));
        refuses(
                Map.of(HOST, "host", "OPENWHISK_AUTH_FILE", large.toString()),
                "OPENWHISK_AUTH_FILE: %s has more than 4096 bytes; write a file that contains only the key"
                        .formatted(large));
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        refuses(
                Map.of(HOST, "host", AUTH, "u:k", "OPENWHISK_TRUST", empty.toString()),
                "OPENWHISK_TRUST: %s has no certificate; write the path of a PEM file with one or more"
                        .formatted(empty));
    }

    private static void refuses(Map<String, String> environment, String message) {
        assertThatThrownBy(() -> OpenWhiskEnvironment.read(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
