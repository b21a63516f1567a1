package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.fleetgrad.access.Keys.KeyPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    private static final Keys KEYS = new Keys(Map.of(
            Role.WORKER, new KeyPair("w", "secret-of-workers"),
            Role.OPERATOR, new KeyPair("o", "secret-of-operators")));

    @ParameterizedTest
    @CsvSource({"w, secret-of-workers, WORKER", "o, secret-of-operators, OPERATOR"})
    void shouldFindTheRoleOfBothKeys(String access, String secret, Role role) {
        assertThat(KEYS.roleOf(access, secret)).contains(role);
    }

    @ParameterizedTest
    @CsvSource({
        "w, secret-of-operators",
        "o, secret-of-workers",
        "secret-of-workers, w",
        "w, ''",
        "'', ''",
        "x, secret-of-workers",
        "w, Secret-of-workers",
        "w, 'secret-of-workers '",
        "w, secret-of-worker"
    })
    void shouldFindNoRoleOfKeysThatDoNotBelongTogether(String access, String secret) {
        assertThat(KEYS.roleOf(access, secret)).isEmpty();
    }

    @Test
    void shouldRefuseAnAccessKeyThatTwoRolesShare() {
        assertThatThrownBy(() -> new Keys(Map.of(
                        Role.READER, new KeyPair("a", "one-secret"), Role.WORKER, new KeyPair("a", "other-secret"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("the roles (reader and worker|worker and reader) have the same access-key;"
                        + " write another for one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1234567"})
    void shouldRefuseAShortSecret(String secret) {
        assertThatThrownBy(() -> new KeyPair("a", secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "secret-key has %d characters; write 8 or more, such as what 'openssl rand -hex 24' prints",
                        secret.length());
    }

    @Test
    void shouldRefuseAnEmptyAccessKey() {
        assertThatThrownBy(() -> new KeyPair("", "long-enough"))
                .hasMessage("access-key is empty; write one character or more");
    }

    @ParameterizedTest
    @ValueSource(strings = {" 12345678", "12345678 ", "1234\t5678", "12345678\n", "1234\u00005678"})
    void shouldRefuseKeysWithBlanksOrControlCharacters(String secret) {
        assertThatThrownBy(() -> new KeyPair("a", secret))
                .hasMessage("secret-key begins or ends with a blank, or has a control character; remove it");
        assertThatThrownBy(() -> new KeyPair(secret, "12345678")).hasMessageStartingWith("access-key begins");
    }

    @Test
    void shouldNeverShowAKey() {
        assertThat(KEYS).asString().doesNotContain("secret-of");
        assertThat(new KeyPair("my-access", "my-secret-key")).asString().doesNotContain("my-");
    }

    @Test
    void shouldBeEmptyWithoutKeys() {
        assertThat(new Keys(Map.of()).isEmpty()).isTrue();
        assertThat(KEYS.isEmpty()).isFalse();
    }
}
