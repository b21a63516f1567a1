package org.fleetgrad.runs.invoker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.settings.ImbalanceSettings;
import org.fleetgrad.runs.settings.NetworkSettings;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.fleetgrad.runs.settings.RunSettings;

/**
 * The parameters of a run's activations: train on the shards that the parameter server assigns, and on the first GPU that the worker
 * sees if the run is on GPUs.
 */
public final class ActivationParameters {

    private ActivationParameters() {}

    /**
     * Returns the members of its {@code value}.
     *
     * @param keys   the worker's keys, if the server has keys
     * @param shards largest number of shards to train on; 0 for no limit but the deadline
     */
    public static Map<String, Object> of(
            RunSettings settings, ServerAddresses servers, Optional<Credentials> keys, int shards) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("batch_sz_train", settings.batchSize());
        value.put("shards", "queue");
        value.put("shard_n", shards);
        value.put("update_intv", settings.updateInterval());
        value.put("encoding", settings.transfer().encoding());
        value.put("pull_encoding", settings.transfer().pullEncoding());
        value.put("overlap", settings.transfer().isOverlapping());
        value.put("apihost", servers.toString());
        NetworkSettings network = settings.network();
        value.put("device", network.devices().isOnGpus() ? "cuda:0" : "cpu");
        network.network().ifPresent(name -> value.put("network", name));
        if (network.augmentation() != Augmentation.NONE) {
            value.put("augment", network.augmentation().label());
        }
        value.put("seed", settings.seed());
        OptimizationSettings optimization = settings.optimization();
        if (optimization.clipNorm() > 0) {
            value.put("clip_norm", optimization.clipNorm());
        }
        if (optimization.labelSmoothing() > 0) {
            value.put("label_smoothing", optimization.labelSmoothing());
        }
        ImbalanceSettings imbalance = optimization.imbalance();
        if (!imbalance.classWeights().areEqual()) {
            value.put("class_weights", imbalance.classWeights().toString());
        }
        if (imbalance.sampling() != Sampling.SHUFFLED) {
            value.put("sampling", imbalance.sampling().word());
        }
        keys.ifPresent(pair -> {
            value.put("access_key", pair.accessKey());
            value.put("secret_key", pair.secretKey());
        });
        return value;
    }

    /**
     * Returns the same parameters for a worker on one of several GPUs that it sees.
     *
     * @param device such as {@code cuda:1}
     */
    public static Map<String, Object> on(String device, Map<String, Object> value) {
        Map<String, Object> own = new LinkedHashMap<>(value);
        own.put("device", device);
        return own;
    }

    /** Returns the same parameters for a worker that registers under this id. */
    static Map<String, Object> as(String worker, Map<String, Object> value) {
        Map<String, Object> own = new LinkedHashMap<>(value);
        own.put("worker", worker);
        return own;
    }
}
