package org.fleetgrad.mlflow;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.ShownAddress;

/**
 * Where an MLflow tracking server is, and how it is asked. Immutable.
 *
 * @param address       {@code http} or {@code https}, with the path of a proxy if there is one; without user, query and final slash
 * @param authorization value of the header {@code Authorization}; empty without credentials
 */
public record MlflowServer(URI address, Optional<String> authorization) {

    /** The variables of MLflow's own clients. */
    public static final String TOKEN = "MLFLOW_TRACKING_TOKEN";

    public static final String USERNAME = "MLFLOW_TRACKING_USERNAME";
    public static final String PASSWORD = "MLFLOW_TRACKING_PASSWORD";

    private static final Pattern TOKEN_TEXT = Pattern.compile("[\\x21-\\x7E]+");
    private static final String HIDDEN = "[hidden]";

    /**
     * Reads an address, and the credentials from {@code MLFLOW_TRACKING_TOKEN}, or from {@code MLFLOW_TRACKING_USERNAME} and
     * {@code MLFLOW_TRACKING_PASSWORD}.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what to write, and quotes no credentials
     */
    public static MlflowServer parse(String text, Map<String, String> environment) {
        URI uri;
        try {
            uri = URI.create(text.strip());
        } catch (IllegalArgumentException invalid) {
            // Without the cause, which quotes the whole address.
            throw new IllegalArgumentException("the value is not an address" + example());
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        // Not only the user that the JDK finds: of a host with '_' it finds none.
        if (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@")) {
            throw new IllegalArgumentException(
                    "the address has a user or a password; set %s and %s instead".formatted(USERNAME, PASSWORD));
        }
        if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException(
                    "'%s' is not an address of HTTP%s".formatted(ShownAddress.of(text), example()));
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "'%s' is the address of a page; leave out what follows ? and #".formatted(ShownAddress.of(text)));
        }
        String path = uri.getRawPath().replaceAll("/+$", "");
        URI address = URI.create(scheme + "://" + uri.getRawAuthority() + path);
        return new MlflowServer(address, authorization(environment));
    }

    private static String example() {
        return ": write one such as http://127.0.0.1:5000, where 'mlflow server' listens";
    }

    private static Optional<String> authorization(Map<String, String> environment) {
        String token = environment.getOrDefault(TOKEN, "");
        String user = environment.getOrDefault(USERNAME, "");
        String password = environment.getOrDefault(PASSWORD, "");
        if (!user.isEmpty() && !password.isEmpty()) {
            String both = user + ":" + password;
            return Optional.of("Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
        }
        if (token.isEmpty()) {
            return Optional.empty();
        }
        if (!TOKEN_TEXT.matcher(token).matches()) {
            throw new IllegalArgumentException("%s must be printable characters without blanks; it has %d characters"
                    .formatted(TOKEN, token.length()));
        }
        return Optional.of("Bearer " + token);
    }

    /** Returns the address of a route below this server's. */
    URI at(String route) {
        return URI.create(address + route);
    }

    /** Removes the credentials from text that the server wrote. */
    String hideIn(String text) {
        if (authorization.isEmpty()) {
            return text;
        }
        String value = authorization.get();
        return text.replace(value, HIDDEN).replace(value.substring(value.indexOf(' ') + 1), HIDDEN);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
