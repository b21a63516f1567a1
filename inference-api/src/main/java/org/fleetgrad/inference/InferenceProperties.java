package org.fleetgrad.inference;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.fleetgrad.inference.evaluation.EvaluationPace;
import org.fleetgrad.inference.evaluation.TestShardLocation;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.HeldLimit;
import org.fleetgrad.serving.batching.BatchLimits;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings, {@code inference.*}.
 *
 * @param server             address of the parameter server, or the addresses of several in the order of their
 *     partitions
 * @param device             device to compute on: cpu, or cuda:0
 * @param testShard          path or http(s) URL of a shard of held-out samples, or the folder or bucket of a dataset
 *     whose manifest names one; without it this service evaluates nothing
 * @param evaluationInterval shortest pause between two evaluations
 * @param evaluationShare    share of one processor that evaluations may take while workers train
 * @param evaluationTarget   score at which the run ends, an accuracy or a loss: near it, evaluations may take a quarter of a
 *     processor
 * @param evaluationMemory   memory that a batch of held-out samples may take, besides the network's own
 * @param predictionMemory   memory that the images of one prediction may take at a time, besides the network's own
 * @param followInterval     shortest time between two versions; longer leaves more of the processor to the training
 * @param maxImageBytes      largest body of a prediction request
 * @param bodyMemory         memory that the bodies of all requests may take together
 * @param maxImagePixels     maximum pixels of a PNG or JPEG file; an eighth of them is decoded at a time
 * @param maxBatch           maximum images in one request
 * @param policy             rule by which one of the held versions answers, until an operator changes it
 * @param heldVersions       maximum number of versions in memory at a time; each takes the memory of one network
 * @param heldMemory         memory beyond which a fifth version is not held
 * @param modelName          name of the model in the Open Inference Protocol
 * @param batch              how requests are computed together
 * @param completions        how texts are continued
 * @param feedback           how true labels that come later are counted
 * @param shadowShare        share of the requests, and of the time of their batches, for which the newest version computes unseen beside the
 *     one that answers
 * @param mean               mean of the training pixels, scaled to 0..1: one value, or one for each channel; used for
 *     versions whose metadata state none, if no test shard states it either
 * @param std                their standard deviation, likewise
 * @param reusePort          whether several replicas may listen on one port, among which the kernel distributes connections;
 *     Linux only
 * @param dashboardPage      address of the parameter server's page, as a browser reaches it, for the link of the try-it page
 * @param grpcPort           port of the Open Inference Protocol over gRPC, 0 for any free one; without it there is none
 */
@ConfigurationProperties("inference")
public record InferenceProperties(
        @DefaultValue("http://127.0.0.1:29500") List<URI> server,
        @DefaultValue("cpu") String device,
        @Nullable TestShardLocation testShard,
        @DefaultValue("500ms") Duration evaluationInterval,
        @DefaultValue("0.05") double evaluationShare,
        @Nullable Double evaluationTarget,
        @DefaultValue("64MB") DataSize evaluationMemory,
        @DefaultValue("256MB") DataSize predictionMemory,
        @DefaultValue("100ms") Duration followInterval,
        @DefaultValue("16MB") DataSize maxImageBytes,
        @DefaultValue("64MB") DataSize bodyMemory,
        @DefaultValue("1048576") int maxImagePixels,
        @DefaultValue("2048") int maxBatch,
        @DefaultValue("latest") VersionPolicy policy,
        @DefaultValue("16") int heldVersions,
        @DefaultValue("64MB") DataSize heldMemory,
        @DefaultValue("fleetgrad") String modelName,
        @DefaultValue Batch batch,
        @DefaultValue CompletionProperties completions,
        @DefaultValue FeedbackProperties feedback,
        @DefaultValue("0") double shadowShare,
        @DefaultValue("0.1307") List<Float> mean,
        @DefaultValue("0.3081") List<Float> std,
        @DefaultValue("false") boolean reusePort,
        @Nullable URI dashboardPage,
        @Nullable Integer grpcPort) {

    private static final Duration MAX_INTERVAL = Duration.ofHours(1);
    private static final double LEAST_SHARE = 0.001;
    private static final DataSize MAX_BODY = DataSize.ofMegabytes(64);
    private static final DataSize MAX_EVALUATION_MEMORY = DataSize.ofGigabytes(1);
    private static final DataSize MAX_PREDICTION_MEMORY = DataSize.ofGigabytes(16);
    private static final int MAX_BATCH = 1 << 16;
    private static final int MAX_PIXELS = 1 << 26;
    private static final int MAX_HELD = 64;
    private static final DataSize MAX_HELD_MEMORY = DataSize.ofGigabytes(1024);
    private static final int MAX_PORT = 65_535;

    /**
     * How requests are computed together.
     *
     * @param images      maximum images in a batch
     * @param delay       longest time that two or more requests wait for others
     * @param queueImages maximum images in the queue
     * @param queueMemory maximum memory of the images in the queue
     */
    public record Batch(
            @DefaultValue("32") int images,
            @DefaultValue("0ms") Duration delay,
            @DefaultValue("2048") int queueImages,
            @DefaultValue("64MB") DataSize queueMemory) {

        private static final Duration MAX_DELAY = Duration.ofSeconds(1);

        public Batch {
            requireFrom1("batch.images", images, MAX_BATCH);
            requireFrom1("batch.queue-images", queueImages, MAX_BATCH);
            requireSize("batch.queue-memory", queueMemory, MAX_EVALUATION_MEMORY, "64MB");
            require(
                    !delay.isNegative() && delay.compareTo(MAX_DELAY) <= 0,
                    "batch.delay",
                    delay,
                    "a time from 0ms to 1s, such as 1ms");
        }

        BatchLimits limits() {
            return new BatchLimits(images, delay, queueImages, queueMemory.toBytes());
        }
    }

    /** Checks the values that the types allow but the service does not; the device is checked on use. */
    public InferenceProperties {
        mean = List.copyOf(mean);
        std = List.copyOf(std);
        server = new ServerAddresses(server).uris();
        server.forEach(InferenceProperties::requireAddress);
        require(
                dashboardPage == null
                        || String.valueOf(dashboardPage.getScheme()).matches("https?"),
                "dashboard-page",
                String.valueOf(dashboardPage),
                "an http or https address, such as http://127.0.0.1:29500/");
        requireInterval("evaluation-interval", evaluationInterval);
        require(
                evaluationShare >= LEAST_SHARE && evaluationShare <= 1,
                "evaluation-share",
                evaluationShare,
                "a share of one processor from %s to 1, such as 0.05".formatted(LEAST_SHARE));
        require(
                evaluationTarget == null || (evaluationTarget > 0 && Double.isFinite(evaluationTarget)),
                "evaluation-target",
                String.valueOf(evaluationTarget),
                "an accuracy or a loss above 0, such as 0.98");
        require(
                feedback.learn().folder() == null || testShard != null,
                "feedback.learn.folder",
                String.valueOf(feedback.learn().folder()),
                "without a value unless inference.test-shard names held-out samples, which say what the classes are");
        requireInterval("follow-interval", followInterval);
        require(
                shadowShare >= 0 && shadowShare <= 1,
                "shadow-share",
                shadowShare,
                "a share of the requests from 0 to 1, such as 0.05");
        requireFrom1("max-batch", maxBatch, MAX_BATCH);
        requireFrom1("max-image-pixels", maxImagePixels, MAX_PIXELS);
        require(
                heldVersions >= 2 && heldVersions <= MAX_HELD,
                "held-versions",
                heldVersions,
                "a whole number from 2 to %d".formatted(MAX_HELD));
        requireSize("held-memory", heldMemory, MAX_HELD_MEMORY, "64MB");
        require(
                modelName.matches("[A-Za-z0-9._-]{1,100}"),
                "model-name",
                modelName,
                "1 to 100 letters, digits, dots, dashes or underscores, such as fleetgrad");
        require(
                grpcPort == null || (grpcPort >= 0 && grpcPort <= MAX_PORT),
                "grpc-port",
                String.valueOf(grpcPort),
                "a port from 0 to %d, such as 29601; 0 is any free port".formatted(MAX_PORT));
        requireSize("evaluation-memory", evaluationMemory, MAX_EVALUATION_MEMORY, "64MB");
        requireSize("prediction-memory", predictionMemory, MAX_PREDICTION_MEMORY, "256MB");
        requireSize("max-image-bytes", maxImageBytes, MAX_BODY, "16MB");
        requireSize("body-memory", bodyMemory, MAX_EVALUATION_MEMORY, "64MB");
        require(mean.stream().allMatch(Float::isFinite) && !mean.isEmpty(), "mean", mean, "numbers, such as 0.1307");
        require(
                std.stream().allMatch(value -> Float.isFinite(value) && value > 0) && std.size() == mean.size(),
                "std",
                std,
                "as many positive numbers as inference.mean has (%d), such as 0.3081".formatted(mean.size()));
    }

    HeldLimit heldLimit() {
        return new HeldLimit(heldVersions, heldMemory.toBytes());
    }

    EvaluationPace evaluationPace() {
        OptionalDouble target = evaluationTarget == null ? OptionalDouble.empty() : OptionalDouble.of(evaluationTarget);
        return new EvaluationPace(evaluationInterval, evaluationShare, target, System::nanoTime);
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
                !value.isNegative() && value.compareTo(MAX_INTERVAL) <= 0,
                name,
                value,
                "a time from 0ms to 1h, such as 500ms");
    }

    static void requireFrom1(String name, int value, int max) {
        require(value >= 1 && value <= max, name, value, "a whole number from 1 to %d".formatted(max));
    }

    static void requireSize(String name, DataSize value, DataSize max, String example) {
        require(
                value.toBytes() > 0 && value.compareTo(max) <= 0,
                name,
                value,
                "a size from 1B to %dMB, such as %s".formatted(max.toMegabytes(), example));
    }

    static void require(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException("inference.%s must be %s; it is %s".formatted(name, expected, value));
        }
    }
}
