package org.fleetgrad.mlflow;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.mlflow.Outbox.Parcel;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The requests about a run that has begun. Each can be sent again: MLflow keeps equal points and parameters once. */
final class RunRequests {

    /** Every MLflow takes values of parameters of this length; those since 2.0 take more. */
    private static final int LONGEST_VALUE = 500;

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "json", "application/json", "csv", "text/csv");

    private final MlflowWire wire;
    private final MlflowServer server;
    private final JsonMapper json = JsonMapper.builder().build();

    RunRequests(MlflowWire wire, MlflowServer server) {
        this.wire = wire;
        this.server = server;
    }

    MlflowReply log(BegunRun run, Parcel parcel, Duration timeout) throws IOException, InterruptedException {
        ObjectNode asked = json.createObjectNode().put("run_id", run.id());
        for (Metric metric : parcel.metrics()) {
            ObjectNode point = asked.withArray("metrics")
                    .addObject()
                    .put("key", metric.key())
                    .put("timestamp", metric.millis())
                    .put("step", metric.step());
            if (Double.isFinite(metric.value())) {
                point.put("value", metric.value());
            } else {
                // JSON has no such numbers; protobuf's JSON has these texts.
                point.put("value", Double.toString(metric.value()));
            }
        }
        parcel.parameters()
                .forEach((key, value) ->
                        asked.withArray("params").addObject().put("key", key).put("value", shortened(value)));
        return wire.post(MlflowRoutes.LOG_BATCH, asked, timeout);
    }

    private static String shortened(String value) {
        if (value.length() <= LONGEST_VALUE) {
            return value;
        }
        String rest = "… (%d characters)".formatted(value.length());
        return value.substring(0, LONGEST_VALUE - rest.length()) + rest;
    }

    MlflowReply end(BegunRun run, TrackedRun.Status status, Duration timeout) throws IOException, InterruptedException {
        ObjectNode asked = json.createObjectNode()
                .put("run_id", run.id())
                .put("status", status.name())
                .put("end_time", Instant.now().toEpochMilli());
        return wire.post(MlflowRoutes.UPDATE_RUN, asked, timeout);
    }

    /** Returns the route that takes a file; empty if this server takes none. */
    Optional<String> artifact(BegunRun run, Path file) {
        return ArtifactRoute.of(run.artifactsUri(), String.valueOf(file.getFileName()), server);
    }

    MlflowReply upload(String route, Path file, Duration timeout) throws IOException, InterruptedException {
        String name = String.valueOf(file.getFileName());
        String type = TYPES.getOrDefault(
                name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT), "application/octet-stream");
        try {
            return wire.put(route, BodyPublishers.ofFile(file), type, timeout);
        } catch (FileNotFoundException gone) {
            return new MlflowReply.Refused("", "%s is gone".formatted(file));
        }
    }
}
