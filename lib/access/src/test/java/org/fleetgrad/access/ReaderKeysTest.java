package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.Tokens.Verification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReaderKeysTest {

    private static final String SECRET = "secret-of-reader";

    @TempDir
    private Path folder;

    private static TokenIssuer issuer(Map<String, String> environment) {
        return new ReaderKeys("X_", environment).issuer(Clock.systemUTC());
    }

    @Test
    void shouldAskForNothingWithoutKeys() {
        assertThat(issuer(Map.of("X_ACCESS_KEY", "", "X_SECRET_KEY", "")).tokens())
                .isEmpty();
    }

    @Test
    void shouldTakeATokenOfAnotherServiceWithTheSameTokenKey() throws Exception {
        Path secret = Files.writeString(folder.resolve("reader"), SECRET + "\n");
        Path tokenKey = Files.writeString(folder.resolve("token-key"), "k".repeat(32));
        Map<String, String> environment = Map.of(
                "X_ACCESS_KEY", "reader",
                "X_SECRET_KEY_FILE", secret.toString(),
                "X_TOKEN_KEY_FILE", tokenKey.toString());
        TokenIssuer one = issuer(environment);
        TokenIssuer two = issuer(environment);

        Caller caller = one.authenticate("reader", SECRET, Optional.empty());

        assertThat(caller.role()).isEqualTo(Role.READER);
        assertThat(two.tokens().orElseThrow().verify(one.issue(caller).token())).isInstanceOf(Verification.Valid.class);
    }

    @Test
    void shouldNameTheVariableThatIsWrong() {
        assertThatThrownBy(() -> issuer(Map.of("X_ACCESS_KEY", "reader")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("X_SECRET_KEY is missing; write X_SECRET_KEY or X_SECRET_KEY_FILE");
        assertThatThrownBy(() -> issuer(Map.of("X_ACCESS_KEY", "reader", "X_SECRET_KEY", "short")))
                .hasMessageStartingWith("X_SECRET_KEY has 5 characters; write 8 or more");
        assertThatThrownBy(() ->
                        issuer(Map.of("X_TOKEN_KEY_FILE", folder.resolve("none").toString())))
                .hasMessageStartingWith("X_TOKEN_KEY_FILE cannot be read: ");
    }

    @Test
    void shouldLetOtherMachinesAskOnlyWithKeys() throws Exception {
        InetAddress anywhere = InetAddress.getByName("0.0.0.0");
        ReaderKeys none = new ReaderKeys("X_", Map.of());
        ReaderKeys some = new ReaderKeys("X_", Map.of("X_ACCESS_KEY", "reader", "X_SECRET_KEY", SECRET));

        assertThatThrownBy(() -> none.requireSafe(anywhere, "--address"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--address is 0.0.0.0, which other machines can reach, and there are no keys");
        assertThatCode(() -> none.requireSafe(InetAddress.getLoopbackAddress(), "--address"))
                .doesNotThrowAnyException();
        assertThatCode(() -> some.requireSafe(anywhere, "--address")).doesNotThrowAnyException();
    }
}
