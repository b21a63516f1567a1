package org.fleetgrad.mlflow;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The route that takes a run's artifacts. */
final class ArtifactRoute {

    private static final String SCHEME = "mlflow-artifacts";

    private ArtifactRoute() {}

    /**
     * Returns the route of an artifact; empty if this server does not take the run's artifacts: they are stored where only a client with
     * its own access can write, or another server takes them, which gets neither the files nor the credentials.
     *
     * @param artifactsUri such as {@code mlflow-artifacts:/1/run/artifacts}
     */
    static Optional<String> of(String artifactsUri, String file, MlflowServer server) {
        URI uri;
        try {
            uri = URI.create(artifactsUri);
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
        boolean isHere = uri.getRawAuthority() == null
                || uri.getRawAuthority().equals(server.address().getRawAuthority());
        if (!SCHEME.equals(uri.getScheme()) || !isHere || uri.getPath() == null) {
            return Optional.empty();
        }
        List<String> parts = Arrays.stream((uri.getPath() + "/" + file).split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        if (parts.contains("..") || parts.contains(".")) {
            return Optional.empty();
        }
        return Optional.of(MlflowRoutes.ARTIFACTS
                + parts.stream()
                        .map(part -> "/"
                                + URLEncoder.encode(part, StandardCharsets.UTF_8)
                                        .replace("+", "%20"))
                        .collect(Collectors.joining()));
    }
}
