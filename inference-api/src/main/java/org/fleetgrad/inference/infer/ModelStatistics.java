package org.fleetgrad.inference.infer;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.fleetgrad.serving.batching.BatchStatistics.BatchSize;
import org.fleetgrad.serving.batching.BatchStatistics.Figures;

/**
 * The statistics of versions, as Triton's extension {@code statistics} has them: a request's queue and compute apart, and each
 * size of batch. What reading and writing of tensors take is not measured, and is 0.
 *
 * @param versions one element a version
 */
public record ModelStatistics(@JsonProperty("model_stats") List<OfVersion> versions) {

    /**
     * The figures of a version.
     *
     * @param name       of the model
     * @param version    of the model
     * @param last       time of the last answer, in milliseconds since 1970
     * @param inferences samples that were computed
     * @param executions batches that were computed
     * @param requests   durations of requests
     * @param batches    durations of batches, by their size
     */
    public record OfVersion(
            String name,
            String version,
            @JsonProperty("last_inference") long last,
            @JsonProperty("inference_count") long inferences,
            @JsonProperty("execution_count") long executions,
            @JsonProperty("inference_stats") Requests requests,
            @JsonProperty("batch_stats") List<Batches> batches) {}

    /**
     * How many, and how long all of them together.
     *
     * @param count how many
     * @param ns    nanoseconds
     */
    public record Duration(long count, long ns) {

        private static final Duration NONE = new Duration(0, 0);
    }

    /**
     * The durations of requests. What Triton's extension calls {@code fail} is 0 for each version: a request without an answer was
     * computed by none.
     */
    public record Requests(
            Duration success,
            Duration fail,
            Duration queue,
            @JsonProperty("compute_input") Duration input,
            @JsonProperty("compute_infer") Duration infer,
            @JsonProperty("compute_output") Duration output,
            @JsonProperty("cache_hit") Duration hit,
            @JsonProperty("cache_miss") Duration miss) {}

    /** The batches of one size. */
    public record Batches(
            @JsonProperty("batch_size") int size,
            @JsonProperty("compute_input") Duration input,
            @JsonProperty("compute_infer") Duration infer,
            @JsonProperty("compute_output") Duration output) {}

    /** Makes the answer for a model. */
    public static ModelStatistics of(String name, List<Figures> figures) {
        return new ModelStatistics(
                figures.stream().map(version -> ofVersion(name, version)).toList());
    }

    private static OfVersion ofVersion(String name, Figures figures) {
        long count = figures.requests();
        Duration none = new Duration(count, 0);
        Requests requests = new Requests(
                new Duration(count, figures.queueNanos() + figures.computeNanos()),
                Duration.NONE,
                new Duration(count, figures.queueNanos()),
                none,
                new Duration(count, figures.computeNanos()),
                none,
                Duration.NONE,
                Duration.NONE);
        return new OfVersion(
                name,
                figures.version().toString(),
                figures.lastMillis(),
                figures.images(),
                figures.batches(),
                requests,
                figures.sizes().stream().map(ModelStatistics::batches).toList());
    }

    private static Batches batches(BatchSize size) {
        Duration none = new Duration(size.count(), 0);
        return new Batches(size.images(), none, new Duration(size.count(), size.nanos()), none);
    }
}
