package org.fleetgrad.inference;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.client.ServerAddresses;
import org.fleetgrad.inference.evaluation.TestShardLocation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings, {@code inference.*}.
 *
 * @param server             address of the parameter server, or the addresses of several in the order of their
 *     partitions
 * @param network            name of the network that the parameter server trains
 * @param device             device to compute on: cpu, or cuda:0
 * @param testShard          path or http(s) URL of a shard of held-out samples, or the folder or bucket of a dataset
 *     whose manifest names one; without it this service evaluates nothing
 * @param evaluationInterval pause between two evaluations
 * @param evaluationBatch    held-out samples in one batch
 * @param followInterval     shortest time between two versions; longer leaves more of the processor to the training
 * @param maxImageBytes      largest body of a prediction request
 * @param maxBatch           most images in one request
 * @param mean               mean of the training pixels, scaled to 0..1: one value, or one for each channel; used if
 *     neither the parameter set nor a test shard states it
 * @param std                their standard deviation, likewise
 */
@ConfigurationProperties("inference")
public record InferenceProperties(
        @DefaultValue("http://127.0.0.1:29500") List<URI> server,
        @DefaultValue("lenet5") String network,
        @DefaultValue("cpu") String device,
        @Nullable TestShardLocation testShard,
        @DefaultValue("500ms") Duration evaluationInterval,
        @DefaultValue("500") int evaluationBatch,
        @DefaultValue("100ms") Duration followInterval,
        @DefaultValue("1MB") DataSize maxImageBytes,
        @DefaultValue("256") int maxBatch,
        @DefaultValue("0.1307") List<Float> mean,
        @DefaultValue("0.3081") List<Float> std) {

    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
    private static final DataSize LARGEST_BODY = DataSize.ofMegabytes(64);
    private static final int LARGEST_BATCH = 1 << 16;

    /**
     * Checks the values that the types allow but the service does not; names of networks and devices are checked on
     * use.
     */
    public InferenceProperties {
        mean = List.copyOf(mean);
        std = List.copyOf(std);
        server = new ServerAddresses(server).uris();
        server.forEach(InferenceProperties::requireAddress);
        requireInterval("evaluation-interval", evaluationInterval);
        requireInterval("follow-interval", followInterval);
        requireCount("evaluation-batch", evaluationBatch);
        requireCount("max-batch", maxBatch);
        require(
                maxImageBytes.toBytes() > 0 && maxImageBytes.compareTo(LARGEST_BODY) <= 0,
                "max-image-bytes",
                maxImageBytes,
                "a size from 1B to %dMB, such as 1MB".formatted(LARGEST_BODY.toMegabytes()));
        require(mean.stream().allMatch(Float::isFinite) && !mean.isEmpty(), "mean", mean, "numbers, such as 0.1307");
        require(
                std.stream().allMatch(value -> Float.isFinite(value) && value > 0) && std.size() == mean.size(),
                "std",
                std,
                "as many positive numbers as inference.mean has (%d), such as 0.3081".formatted(mean.size()));
    }

    private static void requireAddress(URI address) {
        String scheme = address.getScheme();
        require(
                address.getHost() != null && ("http".equals(scheme) || "https".equals(scheme)),
                "server",
                address,
                "an address such as http://127.0.0.1:29500");
    }

    private static void requireInterval(String name, Duration value) {
        require(
                !value.isNegative() && value.compareTo(LONGEST_INTERVAL) <= 0,
                name,
                value,
                "a time from 0ms to 1h, such as 500ms");
    }

    private static void requireCount(String name, int value) {
        require(
                value >= 1 && value <= LARGEST_BATCH,
                name,
                value,
                "a whole number from 1 to %d".formatted(LARGEST_BATCH));
    }

    private static void require(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException("inference.%s must be %s; it is %s".formatted(name, expected, value));
        }
    }
}
