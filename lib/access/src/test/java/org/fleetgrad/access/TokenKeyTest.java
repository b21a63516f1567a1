package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenKeyTest {

    @TempDir
    private Path folder;

    @Test
    void shouldDrawAnotherEachTime() {
        assertThat(TokenKey.random()).hasSize(32).isNotEqualTo(TokenKey.random());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void shouldReadTheSameKeyWhateverTheEditorLeft(String end) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "k".repeat(32) + end);

        assertThat(TokenKey.read("ps.security.token-key-file", file)).asString().isEqualTo("k".repeat(32));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 4097})
    void shouldRefuseAKeyOfAnotherSize(int bytes) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "k".repeat(bytes) + (bytes > 4000 ? "" : "\n"));

        assertThatThrownBy(() -> TokenKey.read("ps.security.token-key-file", file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "ps.security.token-key-file %s has %s bytes; write 32 to 4096, such as what 'openssl rand -base64 48' prints",
                        file, bytes > 4000 ? "more than 4096" : bytes);
    }

    @Test
    void shouldNameTheFileThatIsNotThere() {
        assertThatThrownBy(() -> TokenKey.read("ps.security.token-key-file", folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("ps.security.token-key-file cannot be read: ")
                .hasMessageContaining("none");
    }
}
