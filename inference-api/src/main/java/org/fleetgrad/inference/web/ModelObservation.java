package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.feedback.Learning;
import org.fleetgrad.inference.feedback.LiveFigures;
import org.fleetgrad.inference.learning.DropReason;
import org.fleetgrad.inference.learning.SampleCollection;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.inference.shadow.Shadow;
import org.fleetgrad.inference.shadow.ShadowBudget;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.completion.Completions;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health and the metrics of the model. */
@Configuration(proxyBeanMethods = false)
class ModelObservation {

    /** Up if there is a version that answers. */
    @Bean
    HealthIndicator modelHealthIndicator(LiveModel model) {
        return () -> (model.version().isPresent() ? Health.up() : Health.outOfService()).build();
    }

    /** The served version, NaN before the first one, and the batches. */
    @Bean
    MeterBinder modelMetrics(LiveModel model, Batcher batcher, Predictor predictor, SampleMemory memory) {
        return registry -> {
            Gauge.builder("inference.model.version", model, ModelObservation::version)
                    .description("The version that answers")
                    .register(registry);
            Gauge.builder("inference.queue.images", batcher, Batcher::queuedImages)
                    .description("Images that wait for a batch")
                    .register(registry);
            FunctionCounter.builder("inference.batches", batcher, Batcher::batches)
                    .description("Batches that were computed")
                    .register(registry);
            FunctionCounter.builder("inference.refused", predictor, Predictor::refused)
                    .description("Requests that found a full queue, or no memory for their samples")
                    .register(registry);
            Gauge.builder("inference.sample.memory", memory, SampleMemory::leased)
                    .description("Memory of the rows and texts of requests that are not answered yet")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    /** The feedback. A version is no label, since a training model has thousands: {@code GET /feedback} tells them apart. */
    @Bean
    MeterBinder feedbackMetrics(Feedback feedback, LiveModel model) {
        return registry -> {
            FunctionCounter.builder("inference.feedback", feedback, Feedback::counted)
                    .description("Predictions whose true label came")
                    .register(registry);
            FunctionCounter.builder("inference.feedback.repeated", feedback, Feedback::repeated)
                    .description("Labels of predictions that had one already")
                    .register(registry);
            Gauge.builder("inference.live.accuracy", feedback, known -> live(known, model, LiveFigures::accuracy))
                    .description(
                            "Share of the predictions of the version that answers that were right, by their labels")
                    .register(registry);
            Gauge.builder("inference.live.mae", feedback, known -> live(known, model, LiveFigures::mae))
                    .description("Mean absolute error of the numbers of the version that answers, by their labels")
                    .register(registry);
        };
    }

    /** What becomes of the feedback, if it is learned from. */
    @Bean
    MeterBinder learningMetrics(Learning learning) {
        return registry -> {
            if (!(learning instanceof SampleCollection samples)) {
                return;
            }
            FunctionCounter.builder("inference.learning.collected", samples, SampleCollection::collected)
                    .description("Labelled answers that were written into shards")
                    .register(registry);
            for (DropReason reason : DropReason.values()) {
                FunctionCounter.builder("inference.learning.dropped", samples, known -> known.dropped(reason))
                        .description("Labelled answers that became no sample, by the reason")
                        .tag("reason", reason.tag())
                        .register(registry);
            }
            Gauge.builder("inference.learning.inputs", samples, SampleCollection::inputBytes)
                    .description("Memory of the inputs that wait for their labels")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    private static double live(Feedback feedback, LiveModel model, Function<LiveFigures, Optional<Double>> figure) {
        return model.version().flatMap(feedback::of).flatMap(figure).orElse(Double.NaN);
    }

    /** The shadow; {@code GET /shadow} tells the pairs of versions apart. */
    @Bean
    MeterBinder shadowMetrics(Shadow shadow, ShadowBudget budget) {
        return registry -> {
            FunctionCounter.builder("inference.shadow.samples", shadow, Shadow::samples)
                    .description("Samples that the newest version computed beside the one that answered")
                    .register(registry);
            FunctionCounter.builder("inference.shadow.differing", shadow, Shadow::differing)
                    .description("Those of them that the two predicted otherwise")
                    .register(registry);
            FunctionCounter.builder("inference.shadow.dropped", shadow, Shadow::dropped)
                    .description(
                            "Requests of the share that were not compared, since others waited or the time was used up")
                    .register(registry);
            FunctionCounter.builder("inference.shadow.time", budget, taken -> taken.spentNanos() / 1e9)
                    .description("Time that these computations took")
                    .baseUnit("seconds")
                    .register(registry);
        };
    }

    /** The completions. The time between two of their tokens is a timer of its own. */
    @Bean
    MeterBinder completionMetrics(Completions completions) {
        return registry -> {
            FunctionCounter.builder("inference.completions", completions, Completions::begun)
                    .description("Completions that began")
                    .register(registry);
            FunctionCounter.builder("inference.completions.refused", completions, Completions::refused)
                    .description("Completions that found no room")
                    .register(registry);
            FunctionCounter.builder("inference.completion.tokens", completions, Completions::tokens)
                    .description("Tokens that completions chose")
                    .register(registry);
            Gauge.builder("inference.completions.active", completions, Completions::running)
                    .description("Completions that run")
                    .register(registry);
            Gauge.builder("inference.completions.memory", completions, Completions::bytes)
                    .description("Memory of their caches, and of the versions that they compute with")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    private static double version(LiveModel model) {
        return model.version().map(version -> (double) version.version()).orElse(Double.NaN);
    }
}
