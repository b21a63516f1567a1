package org.fleetgrad.runs.services;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.place.WorkerPlace;
import org.fleetgrad.runs.settings.RunSettings;

/**
 * The settings with which a run's services are started, on any ports.
 *
 * @param settings  of the run
 * @param variables each parameter server's own settings, as environment variables
 * @param testShard the held-out samples
 * @param target    score at which the run ends; empty if it has another end
 * @param place     where the workers are
 * @param learning  more settings of the inference API, if it learns from feedback
 * @param tokenKey  the file with the key that signs the tokens of all services; empty if no client needs a token
 */
public record ServicePlan(
        RunSettings settings,
        List<Map<String, String>> variables,
        Path testShard,
        OptionalDouble target,
        WorkerPlace place,
        Map<String, String> learning,
        Optional<Path> tokenKey) {

    static final String LOOPBACK = "127.0.0.1";

    /** The shard of a killed container is reassigned after this time; a live container pushes many times within it. */
    private static final String LEASE_OF_CONTAINERS = "10s";

    /**
     * Returns the environment of a parameter server.
     *
     * @param inference the inference API's address, to which the page of the run links
     */
    Map<String, String> ofServer(int index, int port, URI inference) {
        Map<String, String> environment = new HashMap<>(variables.get(index));
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("SERVER_ADDRESS", place.serverAddress());
        environment.put("PS_TRYITPAGE", inference.toString());
        place.keys().ifPresent(keys -> {
            environment.putIfAbsent("PS_LEASE", LEASE_OF_CONTAINERS);
            environment.putAll(keys.ofServer());
        });
        tokenKey.ifPresent(file -> environment.put("PS_SECURITY_TOKENKEYFILE", file.toString()));
        return environment;
    }

    /**
     * Returns the environment of an inference API.
     *
     * @param index of the replica, from 0. Only the first evaluates; the others learn the accuracies from the server
     */
    Map<String, String> ofInference(int index, int port, ServerAddresses servers) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER_PORT", Integer.toString(port),
                "SERVER_ADDRESS", LOOPBACK,
                "INFERENCE_SERVER", servers.toString(),
                "INFERENCE_DASHBOARDPAGE", servers.uris().get(0).resolve("/").toString()));
        if (index == 0) {
            environment.put("INFERENCE_TESTSHARD", testShard.toString());
            environment.put(
                    "INFERENCE_EVALUATIONSHARE",
                    Double.toString(settings.serving().evaluationShare()));
            target.ifPresent(score -> environment.put("INFERENCE_EVALUATIONTARGET", Double.toString(score)));
        }
        environment.putAll(learning);
        if (settings.serving().replicas() > 1) {
            environment.put("INFERENCE_REUSEPORT", "true");
        }
        place.keys().ifPresent(keys -> environment.putAll(keys.ofInference()));
        // Replicas share an address: each must accept a token that another one issued.
        tokenKey.ifPresent(file -> environment.put("INFERENCE_SECURITY_TOKENKEYFILE", file.toString()));
        return environment;
    }
}
