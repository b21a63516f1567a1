package org.fleetgrad.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import java.text.ParseException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Signs and verifies tokens: JSON Web Tokens (RFC 7519) under HMAC with SHA-256, with the claims {@code role},
 * {@code sub} (the worker's id, if there is one) and {@code exp}. Thread-safe.
 */
public final class Tokens {

    private static final Duration MIN_LIFETIME = Duration.ofSeconds(10);
    private static final Duration MAX_LIFETIME = Duration.ofHours(24);
    private static final int MAX_TOKEN_LENGTH = 2048;
    private static final int MAX_CACHED = 1024;
    private static final JWSHeader HEADER =
            new JWSHeader.Builder(JWSAlgorithm.HS256).type(JOSEObjectType.JWT).build();

    private final JWSSigner signer;
    private final JWSVerifier verifier;
    private final Clock clock;
    private final Duration lifetime;

    /**
     * Tokens that were verified before. A worker sends the same token with every push, so most lookups hit. Only valid
     * tokens are cached.
     */
    private final Map<String, Verification.Valid> cache = new ConcurrentHashMap<>();

    /**
     * Makes a signer and verifier with one key.
     *
     * @param key      signs the tokens; 32 bytes or more
     * @param lifetime lifetime of a token, 10 s to 24 h
     */
    public Tokens(byte[] key, Clock clock, Duration lifetime) {
        if (lifetime.compareTo(MIN_LIFETIME) < 0 || lifetime.compareTo(MAX_LIFETIME) > 0) {
            throw new IllegalArgumentException(
                    "token-lifetime is %s; write 10s to 24h, such as 15m".formatted(lifetime));
        }
        try {
            this.signer = new MACSigner(key);
            this.verifier = new MACVerifier(key);
        } catch (JOSEException unusable) {
            throw new IllegalArgumentException("the token key must have 32 bytes or more", unusable);
        }
        this.clock = clock;
        this.lifetime = lifetime;
    }

    /** Issues a token for {@code caller}. */
    public IssuedToken issue(Caller caller) {
        Instant now = clock.instant();
        // The claim is in whole seconds, RFC 7519 section 2.
        long expires = now.plus(lifetime).getEpochSecond();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("role", caller.role().label());
        caller.worker().ifPresent(id -> claims.put("sub", id));
        claims.put("exp", expires);
        JWSObject token = new JWSObject(HEADER, new Payload(claims));
        try {
            token.sign(signer);
        } catch (JOSEException bug) {
            throw new IllegalStateException("a token could not be signed", bug);
        }
        return new IssuedToken(token.serialize(), Duration.between(now, Instant.ofEpochSecond(expires)));
    }

    /** Verifies a token and returns its caller, if the token is valid. */
    public Verification verify(String token) {
        Verification.Valid known = cache.get(token);
        Verification.Valid valid;
        if (known != null) {
            valid = known;
        } else {
            Optional<Verification.Valid> read = token.length() > MAX_TOKEN_LENGTH ? Optional.empty() : read(token);
            if (read.isEmpty()) {
                return new Verification.Invalid();
            }
            valid = read.get();
        }
        if (!clock.instant().isBefore(valid.expires())) {
            cache.remove(token);
            return new Verification.Expired(valid.caller(), valid.expires());
        }
        if (known == null) {
            cache(token, valid);
        }
        return valid;
    }

    private void cache(String token, Verification.Valid valid) {
        // Clears the cache: a forgotten token is only verified again. Rare, cheap, and simpler than evicting the
        // oldest.
        if (cache.size() >= MAX_CACHED) {
            cache.clear();
        }
        cache.put(token, valid);
    }

    private Optional<Verification.Valid> read(String token) {
        try {
            JWSObject parsed = JWSObject.parse(token);
            // The verifier would accept HS384 and HS512 too, but this class issues HS256 only.
            if (!JWSAlgorithm.HS256.equals(parsed.getHeader().getAlgorithm()) || !parsed.verify(verifier)) {
                return Optional.empty();
            }
            return claims(parsed.getPayload().toJSONObject());
        } catch (ParseException | JOSEException | IllegalArgumentException | DateTimeException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<Verification.Valid> claims(Map<String, Object> claims) {
        if (!(claims.get("role") instanceof String label) || !(claims.get("exp") instanceof Number expires)) {
            return Optional.empty();
        }
        Optional<String> worker = claims.get("sub") instanceof String id ? Optional.of(id) : Optional.empty();
        return Role.named(label)
                .map(role ->
                        new Verification.Valid(new Caller(role, worker), Instant.ofEpochSecond(expires.longValue())));
    }

    int cachedTokens() {
        return cache.size();
    }

    /** The result of verifying a token. */
    public sealed interface Verification {

        /** The token is valid until it expires. */
        record Valid(Caller caller, Instant expires) implements Verification {}

        /** This server issued the token, but it has expired. */
        record Expired(Caller caller, Instant at) implements Verification {}

        /** This server did not issue the token: it is garbage, was issued by another server, or was changed. */
        record Invalid() implements Verification {}
    }

    /** A signed token for the header {@code Authorization}, and the time until it expires. */
    public record IssuedToken(String text, Duration lifetime) {

        @Override
        public String toString() {
            return "IssuedToken[lifetime=%s]".formatted(lifetime);
        }
    }
}
