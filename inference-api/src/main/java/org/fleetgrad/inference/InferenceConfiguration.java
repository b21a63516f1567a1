package org.fleetgrad.inference;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.following.Follower;
import org.fleetgrad.following.Loop;
import org.fleetgrad.following.ParameterServer;
import org.fleetgrad.inference.evaluation.AwaitedTestSet;
import org.fleetgrad.inference.evaluation.NewestParameters;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.feedback.Learning;
import org.fleetgrad.inference.grpc.GrpcBeans;
import org.fleetgrad.inference.infer.OpenInference;
import org.fleetgrad.inference.learning.SampleCollection;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.inference.shadow.Shadow;
import org.fleetgrad.inference.shadow.ShadowBudget;
import org.fleetgrad.inference.shadow.ShadowThread;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Creates and connects the features. */
@Configuration(proxyBeanMethods = false)
@Import({EvaluatingBeans.class, GrpcBeans.class})
class InferenceConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(InferenceConfiguration.class);

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
                properties.heldLimit(),
                properties.policy(),
                scores);
    }

    @Bean
    BatchStatistics batchStatistics(Clock clock) {
        return new BatchStatistics(clock::millis);
    }

    @Bean
    Batcher batcher(
            LiveModel model,
            InferenceProperties properties,
            BatchStatistics statistics,
            ShadowBudget shadow,
            MeterRegistry metrics) {
        return new Batcher(
                model::predict, properties.batch().limits(), new MeteredBatches(statistics, shadow, metrics));
    }

    @Bean
    ShadowBudget shadowBudget(InferenceProperties properties) {
        return new ShadowBudget(properties.shadowShare());
    }

    @Bean
    ShadowThread shadowThread() {
        return new ShadowThread();
    }

    @Bean
    Shadow shadow(ShadowBudget budget, LiveModel model, Batcher batcher, ShadowThread thread) {
        return new Shadow(
                budget,
                new Shadow.Model(model::versions, model::predict, batcher::queuedImages),
                thread::execute,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble());
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
        ClientOptions options = access.read();
        if (options.credentials().isPresent()) {
            properties
                    .server()
                    .forEach(address -> Credentials.clearTextWarning("the keys of inference.access-key", address)
                            .ifPresent(LOG::warn));
        }
        return new ParameterServer(new ServerAddresses(properties.server()), options);
    }

    @Bean
    HeldOutScores heldOutScores(Feedback feedback, InferenceProperties properties) {
        int from = properties.feedback().policyFrom();
        return from == 0 ? new HeldOutScores() : new HeldOutScores(version -> feedback.score(version, from));
    }

    @Bean
    Learning learning(InferenceProperties properties, ObjectProvider<AwaitedTestSet> testSets, Clock clock)
            throws IOException {
        LearnProperties learn = properties.feedback().learn();
        Optional<AwaitedTestSet> testSet = Optional.ofNullable(testSets.getIfAvailable());
        return learn.folder() == null
                ? Learning.NONE
                : new SampleCollection(
                                learn.limits(learn.folder()),
                                () -> testSet.flatMap(AwaitedTestSet::found).map(TestSet::schema),
                                clock::millis)
                        .start();
    }

    @Bean
    Feedback feedback(InferenceProperties properties, Learning learning) {
        byte[] key = new byte[Feedback.KEY_BYTES];
        // Of this process alone: which answers had feedback is forgotten with it.
        new SecureRandom().nextBytes(key);
        return new Feedback(properties.feedback().memory().toBytes(), key, learning);
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
    Predictor predictor(
            LiveModel model,
            Batcher batcher,
            SampleMemory memory,
            HeldOutScores scores,
            Feedback feedback,
            Shadow shadow) {
        return new Predictor(model, batcher, memory, scores, feedback, shadow);
    }

    @Bean
    Refusals refusals(Follower follower, LiveModel model) {
        return new Refusals(follower, model);
    }

    @Bean
    OpenInference openInference(
            InferenceProperties properties,
            LiveModel model,
            Predictor predictor,
            Refusals refusals,
            BatchStatistics statistics) {
        return new OpenInference(properties.modelName(), properties.maxBatch(), model, predictor, refusals, statistics);
    }
}
