package org.fleetgrad.inference;

import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.client.ServerAddresses;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.inference.evaluation.AwaitedTestSet;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.inference.evaluation.TestSet;
import org.fleetgrad.inference.evaluation.TestSetReader;
import org.fleetgrad.inference.evaluation.TestShardLocation;
import org.fleetgrad.inference.model.AccuracyBoard;
import org.fleetgrad.inference.model.Classifier;
import org.fleetgrad.inference.model.Follower;
import org.fleetgrad.inference.model.ImageShape;
import org.fleetgrad.inference.model.LiveModel;
import org.fleetgrad.inference.model.Loop;
import org.fleetgrad.inference.model.ModelDescription;
import org.fleetgrad.inference.model.NetworkClassifier;
import org.fleetgrad.inference.model.NewestParameters;
import org.fleetgrad.inference.model.ParameterServer;
import org.fleetgrad.inference.prediction.ImageFile;
import org.fleetgrad.inference.prediction.JsonImages;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates and connects the features. */
@Configuration(proxyBeanMethods = false)
class InferenceConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    NetworkSpec networkSpec(InferenceProperties properties) {
        return Networks.usual(properties.network()).spec();
    }

    @Bean
    ImageShape imageShape(NetworkSpec spec) {
        List<Integer> shape = spec.inputShape();
        return new ImageShape(shape.get(0), shape.get(1), shape.get(2));
    }

    /** Opens instances of the network. The first one loads libtorch, after the service is up. */
    @Bean
    Supplier<Classifier> opener(InferenceProperties properties) {
        Device device = Device.parse(properties.device());
        return () -> new NetworkClassifier(Libtorch.open(Networks.usual(properties.network()), device));
    }

    /**
     * Returns the description for versions whose metadata states none: that of the held-out samples, or else of the
     * settings.
     */
    @Bean
    Supplier<ModelDescription> modelDescription(
            InferenceProperties properties,
            NetworkSpec spec,
            ImageShape shape,
            ObjectProvider<AwaitedTestSet> testSets) {
        ModelDescription stated = new ModelDescription(
                new Normalization(
                        forEachChannel("mean", properties.mean(), shape),
                        forEachChannel("std", properties.std(), shape)),
                ClassNames.numbers(spec.classes()));
        Optional<AwaitedTestSet> testSet = Optional.ofNullable(testSets.getIfAvailable());
        return () ->
                testSet.flatMap(AwaitedTestSet::found).map(TestSet::description).orElse(stated);
    }

    private static List<Float> forEachChannel(String name, List<Float> values, ImageShape shape) {
        if (values.size() == 1) {
            return Collections.nCopies(shape.channels(), values.get(0));
        }
        if (values.size() != shape.channels()) {
            throw new IllegalArgumentException(
                    "inference.%s must be 1 number or %d numbers, one for each channel of the network; it is %s"
                            .formatted(name, shape.channels(), values));
        }
        return values;
    }

    @Bean
    ParameterServer parameterServer(InferenceProperties properties, ServerAccess access) {
        return new ParameterServer(new ServerAddresses(properties.server()), access.read());
    }

    @Bean
    AccuracyBoard accuracyBoard() {
        return new AccuracyBoard();
    }

    @Bean
    NewestParameters newestParameters() {
        return new NewestParameters();
    }

    @Bean
    LiveModel liveModel(Supplier<Classifier> opener, ImageShape shape, Supplier<ModelDescription> description) {
        return new LiveModel(opener, shape, description);
    }

    @Bean
    Follower follower(
            ParameterServer server,
            LiveModel model,
            NewestParameters newest,
            AccuracyBoard accuracies,
            InferenceProperties properties) {
        return new Follower(
                server,
                pulled -> {
                    model.swapTo(pulled.version(), pulled.parameters());
                    // After the swap, which throws if the version does not fit.
                    newest.put(pulled);
                },
                accuracies,
                properties.followInterval());
    }

    @Bean(initMethod = "start")
    Loop following(Follower follower) {
        return new Loop("follow", follower::round, () -> {});
    }

    @Bean
    Predictor predictor(LiveModel model, AccuracyBoard accuracies) {
        return new Predictor(model, accuracies);
    }

    @Bean
    JsonImages jsonImages(ImageShape shape, InferenceProperties properties) {
        return new JsonImages(shape, properties.maxBatch());
    }

    @Bean
    ImageFile imageFile(ImageShape shape) {
        return new ImageFile(shape);
    }

    /** The beans that exist only with held-out samples. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnExpression("!'${inference.test-shard:}'.isBlank()")
    static class Evaluating {

        @Bean
        AwaitedTestSet testSet(InferenceProperties properties, NetworkSpec spec, ImageShape shape) {
            TestShardLocation location =
                    Optional.ofNullable(properties.testShard()).orElseThrow();
            AwaitedTestSet testSet =
                    new AwaitedTestSet(new TestSetReader(location, System::getenv), shape, spec.classes());
            if (location instanceof TestShardLocation.Local) {
                // A local file is read before the first version; a remote one must not delay the start.
                Optional<TestSet> unused = testSet.look();
            }
            return testSet;
        }

        // No destroy method: its own thread closes it after its last round.
        @Bean(destroyMethod = "")
        BackgroundEvaluation backgroundEvaluation(
                AwaitedTestSet testSet,
                Supplier<Classifier> opener,
                NewestParameters newest,
                AccuracyBoard accuracies,
                ParameterServer server,
                InferenceProperties properties,
                Clock clock) {
            return new BackgroundEvaluation(
                    testSet,
                    properties.evaluationBatch(),
                    opener,
                    newest,
                    accuracies,
                    server::report,
                    properties.evaluationInterval(),
                    clock);
        }

        @Bean(initMethod = "start")
        Loop evaluating(BackgroundEvaluation evaluation) {
            return new Loop("evaluate", evaluation::round, evaluation::close);
        }
    }
}
