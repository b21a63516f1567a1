package org.fleetgrad.inference;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.following.Follower;
import org.fleetgrad.following.Loop;
import org.fleetgrad.following.ParameterServer;
import org.fleetgrad.inference.evaluation.AwaitedTestSet;
import org.fleetgrad.inference.evaluation.NewestParameters;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.Classifiers;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.batching.BatchStatistics;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.completion.Completions;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Creates and connects the features. */
@Configuration(proxyBeanMethods = false)
@Import(EvaluatingBeans.class)
class InferenceConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    Classifiers classifiers(InferenceProperties properties) {
        return new NetworkClassifiers(Device.parse(properties.device()));
    }

    @Bean
    LiveModel liveModel(
            Classifiers classifiers,
            InferenceProperties properties,
            HeldOutScores scores,
            ObjectProvider<AwaitedTestSet> testSets) {
        ModelDescription stated =
                new ModelDescription(new Normalization(properties.mean(), properties.std()), List.of());
        Optional<AwaitedTestSet> testSet = Optional.ofNullable(testSets.getIfAvailable());
        // For versions whose metadata states none: the held-out samples' description, or else that of the settings.
        return new LiveModel(
                classifiers,
                network -> testSet.flatMap(AwaitedTestSet::found)
                        .filter(samples -> samples.fits(network))
                        .map(TestSet::description)
                        .orElse(stated),
                properties.predictionMemory().toBytes(),
                properties.heldVersions(),
                properties.policy(),
                scores);
    }

    @Bean
    BatchStatistics batchStatistics(Clock clock) {
        return new BatchStatistics(clock::millis);
    }

    @Bean
    Batcher batcher(
            LiveModel model, InferenceProperties properties, BatchStatistics statistics, MeterRegistry metrics) {
        return new Batcher(model::predict, properties.batch().limits(), new MeteredBatches(statistics, metrics));
    }

    @Bean
    Completions completions(LiveModel model, InferenceProperties properties, MeterRegistry metrics) {
        Timer timer = Timer.builder("inference.completion.token")
                .description("Time between two tokens of a completion")
                .register(metrics);
        return new Completions(
                model, properties.completions().limits(), nanos -> timer.record(nanos, TimeUnit.NANOSECONDS));
    }

    @Bean
    ParameterServer parameterServer(InferenceProperties properties, ServerAccess access) {
        return new ParameterServer(new ServerAddresses(properties.server()), access.read());
    }

    @Bean
    HeldOutScores heldOutScores() {
        return new HeldOutScores();
    }

    @Bean
    Follower follower(
            ParameterServer server,
            LiveModel model,
            ObjectProvider<NewestParameters> newest,
            HeldOutScores scores,
            InferenceProperties properties) {
        return new Follower(
                server,
                pulled -> {
                    model.swapTo(pulled.version(), pulled.parameters());
                    // After the swap, which throws if the version does not fit.
                    newest.ifAvailable(next -> next.put(pulled));
                },
                scores,
                properties.followInterval());
    }

    @Bean(initMethod = "start")
    Loop following(Follower follower) {
        return new Loop("follow", follower::round, () -> {});
    }

    @Bean
    SampleMemory sampleMemory(InferenceProperties properties) {
        return new SampleMemory(properties.batch().queueMemory().toBytes());
    }

    @Bean
    Predictor predictor(LiveModel model, Batcher batcher, SampleMemory memory, HeldOutScores scores) {
        return new Predictor(model, batcher, memory, scores);
    }
}
