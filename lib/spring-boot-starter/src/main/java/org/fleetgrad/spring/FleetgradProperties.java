package org.fleetgrad.spring;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings, {@code fleetgrad.*}.
 *
 * @param server           address of the parameter server, or the addresses of several in the order of their partitions;
 *     without it nothing is configured
 * @param device           device to compute on: cpu, or cuda:0
 * @param followInterval   shortest time between two versions
 * @param heldVersions     maximum number of versions in memory at a time, 2 or more; each takes the memory of one network
 * @param policy           rule by which one of the held versions answers
 * @param predictionMemory memory that the samples of one prediction may take at a time, besides the network's own
 * @param mean             mean of the training pixels, scaled to 0..1: one value, or one for each channel; used for versions
 *     whose metadata state none
 * @param std              their standard deviation, likewise
 * @param unreachableAfter time without the parameter server after which the health is down, although the model still answers
 */
@ConfigurationProperties("fleetgrad")
public record FleetgradProperties(
        List<URI> server,
        @DefaultValue("cpu") String device,
        @DefaultValue("100ms") Duration followInterval,
        @DefaultValue("2") int heldVersions,
        @DefaultValue("latest") VersionPolicy policy,
        @DefaultValue("256MB") DataSize predictionMemory,
        @DefaultValue("0.1307") List<Float> mean,
        @DefaultValue("0.3081") List<Float> std,
        @DefaultValue("60s") Duration unreachableAfter) {

    /** Checks what the types allow, and what nothing else checks. */
    public FleetgradProperties {
        server = new ServerAddresses(server).uris();
        mean = List.copyOf(mean);
        std = List.copyOf(std);
        requireTime("follow-interval", followInterval);
        requireTime("unreachable-after", unreachableAfter);
        if (predictionMemory.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "fleetgrad.prediction-memory must be a size from 1B, such as 256MB; it is " + predictionMemory);
        }
    }

    private static void requireTime(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(
                    "fleetgrad.%s must be a time of 0ms or more, such as 100ms; it is %s".formatted(name, value));
        }
    }
}
