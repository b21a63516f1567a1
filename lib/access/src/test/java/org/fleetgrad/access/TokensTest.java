package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.PlainObject;
import com.nimbusds.jose.crypto.MACSigner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.access.Tokens.IssuedToken;
import org.fleetgrad.access.Tokens.Verification;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    private static final byte[] KEY = key(1);
    private static final Duration LIFETIME = Duration.ofMinutes(15);
    private static final Verification.Invalid INVALID = new Verification.Invalid();

    private final ManualClock clock = new ManualClock();
    private final Tokens tokens = new Tokens(KEY, clock, LIFETIME);

    private static byte[] key(int fill) {
        // Long enough for HS512 too.
        byte[] key = new byte[64];
        Arrays.fill(key, (byte) fill);
        return key;
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void shouldVerifyWhatItIssued(Role role) {
        IssuedToken token = tokens.issue(Caller.of(role));

        assertThat(callerOf(token)).contains(Caller.of(role));
        assertThat(token.lifetime()).isBetween(LIFETIME.minusSeconds(1), LIFETIME);
    }

    @Test
    void shouldKeepTheWorkersId() {
        assertThat(callerOf(tokens.issue(Caller.worker("worker-1:a.b")))).contains(Caller.worker("worker-1:a.b"));
    }

    @Test
    void shouldCountUntilItsTimeIsOverAndNotAMomentLonger() {
        IssuedToken token = tokens.issue(Caller.of(Role.READER));
        clock.advance(token.lifetime().minusMillis(1));
        assertThat(tokens.verify(token.text())).isInstanceOf(Verification.Valid.class);

        clock.advance(Duration.ofMillis(1));

        assertThat(tokens.verify(token.text()))
                .isEqualTo(new Verification.Expired(Caller.of(Role.READER), clock.instant()));
        // Not answered from the cache either: the token was removed from it and is verified again.
        assertThat(tokens.verify(token.text()))
                .isEqualTo(new Verification.Expired(Caller.of(Role.READER), clock.instant()));
        assertThat(tokens.cachedTokens()).isZero();
    }

    @Test
    void shouldTakeTheTokensOfAnotherServerWithTheSameKeyOnly() {
        String token = tokens.issue(Caller.of(Role.READER)).text();

        assertThat(new Tokens(KEY, clock, LIFETIME).verify(token)).isInstanceOf(Verification.Valid.class);
        assertThat(new Tokens(key(2), clock, LIFETIME).verify(token)).isEqualTo(INVALID);
    }

    static Stream<String> forgeries() throws JOSEException {
        long later = Instant.now().plusSeconds(1_000_000_000L).getEpochSecond();
        Map<String, Object> claims = Map.of("role", "operator", "exp", later);
        String good = signed(JWSAlgorithm.HS256, KEY, claims);
        String[] parts = good.split("\\.");
        String none = new PlainObject(new Payload(claims)).serialize();
        return Stream.of(
                none,
                none + parts[2],
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1],
                "." + parts[1] + "." + parts[2],
                signed(JWSAlgorithm.HS256, key(2), claims),
                // The right key, but not what this class issues.
                signed(JWSAlgorithm.HS384, KEY, claims),
                signed(JWSAlgorithm.HS512, KEY, claims),
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", "operator")),
                signed(JWSAlgorithm.HS256, KEY, Map.of("exp", later)),
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", "root", "exp", later)),
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", 1, "exp", later)),
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", "operator", "exp", "never")),
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", "operator", "exp", Long.MAX_VALUE)),
                // Signed for a reader, then changed.
                signed(JWSAlgorithm.HS256, KEY, Map.of("role", "reader", "exp", later))
                                .split("\\.")[0] + "." + parts[1]
                        + "."
                        + signed(JWSAlgorithm.HS256, KEY, Map.of("role", "reader", "exp", later))
                                .split("\\.")[2],
                base64("{\"alg\":\"HS256\",\"crit\":[\"x\"],\"x\":1}") + "." + parts[1] + "." + parts[2],
                base64("{\"alg\":\"RS256\"}") + "." + parts[1] + "." + parts[2]);
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void shouldRefuseAForgery(String token) {
        assertThat(tokens.verify(token)).isEqualTo(INVALID);
        assertThat(tokens.cachedTokens()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "...", "a.b.c", "null", "{}", "e30.e30.e30", "\u0000", "Bearer x", "ä.ö.ü"})
    void shouldRefuseGarbage(String token) {
        assertThat(tokens.verify(token)).isEqualTo(INVALID);
    }

    @Test
    void shouldNotEvenReadATokenThatIsTooLong() throws JOSEException {
        String token = signed(
                JWSAlgorithm.HS256, KEY, Map.of("role", "operator", "exp", 99_999_999_999L, "sub", "x".repeat(4000)));

        assertThat(tokens.verify(token)).isEqualTo(INVALID);
    }

    @Test
    void shouldRememberABoundedNumberOfTokens() {
        for (int i = 0; i < 2500; i++) {
            assertThat(callerOf(tokens.issue(Caller.worker("w" + i)))).contains(Caller.worker("w" + i));
            assertThat(tokens.cachedTokens()).isBetween(1, 1024);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT9.999S", "PT0S", "PT-1S", "PT24H0.001S"})
    void shouldRefuseALifetimeOutOfBounds(String lifetime) {
        assertThatThrownBy(() -> new Tokens(KEY, clock, Duration.parse(lifetime)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token-lifetime is %s; write 10s to 24h, such as 15m", Duration.parse(lifetime));
    }

    @Test
    void shouldRefuseAKeyThatIsTooShort() {
        assertThatThrownBy(() -> new Tokens(new byte[31], clock, LIFETIME))
                .hasMessage("the token key must have 32 bytes or more");
    }

    @Test
    void shouldNotShowATokenByAccident() {
        IssuedToken token = tokens.issue(Caller.of(Role.OPERATOR));

        assertThat(token.toString()).doesNotContain(token.text());
    }

    private Optional<Caller> callerOf(IssuedToken token) {
        return tokens.verify(token.text()) instanceof Verification.Valid valid
                ? Optional.of(valid.caller())
                : Optional.empty();
    }

    private static String signed(JWSAlgorithm algorithm, byte[] key, Map<String, Object> claims) throws JOSEException {
        JWSObject token = new JWSObject(new JWSHeader(algorithm), new Payload(claims));
        token.sign(new MACSigner(key));
        return token.serialize();
    }

    private static String base64(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
