package org.fleetgrad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class FleetgradAutoConfigurationTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final NetworkDefinition NETWORK = Networks.named("lenet5?classes=10&input=1x28x28");

    private FakeParameterServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeParameterServer(0.1f);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static TensorSet parameters(long seed) {
        return TensorSet.ofFloats(
                NETWORK.spec().layout(),
                NETWORK.initialParameters(seed),
                NETWORK.spec().metadata());
    }

    private static ApplicationContextRunner application(String... settings) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(FleetgradAutoConfiguration.class))
                .withPropertyValues(settings);
    }

    private ApplicationContextRunner following(String... settings) {
        return application("fleetgrad.server=" + server.uri()).withPropertyValues(settings);
    }

    private static void awaitVersion(ApplicationContext context, long version) {
        LiveModel model = context.getBean(LiveModel.class);
        await().atMost(LONG)
                .until(() -> model.version().map(ParameterVersion::version).equals(Optional.of(version)));
    }

    private static Health health(ApplicationContext context) {
        return Optional.ofNullable(context.getBean(HealthIndicator.class).health())
                .orElseThrow();
    }

    @Test
    void shouldConfigureNothingWithoutServer() {
        application()
                .run(context -> assertThat(context)
                        .doesNotHaveBean(LiveModel.class)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(MeterBinder.class));
    }

    @Test
    void shouldAnswerWithEachNewestVersionOfTheServer() {
        server.start(3, parameters(1));
        following().run(context -> {
            awaitVersion(context, 3);
            LiveModel model = context.getBean(LiveModel.class);
            ImageShape shape = new ImageShape(1, 28, 28);
            PredictionResult old =
                    (PredictionResult) model.predict(WantedVersion.BY_POLICY, new Images(shape, new float[784]));

            server.start(4, parameters(2));
            awaitVersion(context, 4);
            PredictionResult young =
                    (PredictionResult) model.predict(WantedVersion.BY_POLICY, new Images(shape, new float[784]));

            assertThat(old.version().version()).isEqualTo(3);
            assertThat(young.version().version()).isEqualTo(4);
            assertThat(young.logits()).isNotEqualTo(old.logits());
        });
    }

    @Test
    void shouldTakeServersAsListAndSettingsOfTheModel() {
        server.start(3, parameters(1));
        application("fleetgrad.server[0]=" + server.uri(), "fleetgrad.policy=best", "fleetgrad.held-versions=3")
                .run(context -> {
                    assertThat(context.getBean(LiveModel.class).policy()).isEqualTo(VersionPolicy.valueOf("best"));
                    awaitVersion(context, 3);
                });
    }

    @Test
    void shouldBeOutOfServiceBeforeTheFirstVersionAndUpAfterwards() {
        following().run(context -> {
            await().atMost(LONG)
                    .until(() -> String.valueOf(health(context).getDetails().get("following"))
                            .contains("has no parameter set"));
            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);

            server.start(3, parameters(1));
            awaitVersion(context, 3);
            await().atMost(LONG).until(() -> health(context).getStatus().equals(Status.UP));
            assertThat(health(context).getDetails())
                    .containsEntry("version", 3L)
                    .containsEntry("generation", "gen1");
        });
    }

    @Test
    void shouldBeDownButAnswerIfTheServerIsAway() {
        server.start(3, parameters(1));
        following("fleetgrad.unreachable-after=0ms").run(context -> {
            awaitVersion(context, 3);
            server.close();

            await().atMost(LONG).until(() -> health(context).getStatus().equals(Status.DOWN));
            assertThat(health(context).getDetails()).containsEntry("version", 3L);
            assertThat(context.getBean(LiveModel.class).version()).isPresent();
        });
    }

    @Test
    void shouldMeasureVersionAgeAndAnswers() {
        server.start(3, parameters(1));
        following().run(context -> {
            awaitVersion(context, 3);
            MeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(registry);
            context.getBean(LiveModel.class)
                    .predict(WantedVersion.BY_POLICY, new Images(new ImageShape(1, 28, 28), new float[2 * 784]));

            assertThat(registry.get("fleetgrad.model.version").gauge().value()).isEqualTo(3);
            await().atMost(LONG)
                    .until(() -> registry.get("fleetgrad.model.age").gauge().value() >= 0);
            assertThat(registry.get("fleetgrad.predictions").functionCounter().count())
                    .isEqualTo(2);
        });
    }

    @Test
    void shouldNeedNeitherActuatorNorMicrometer() {
        server.start(3, parameters(1));
        following()
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health", "io.micrometer"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    awaitVersion(context, 3);
                });
    }

    @Test
    void shouldLeaveTheModelOfTheApplicationAlone() {
        LiveModel own = new LiveModel(new NetworkClassifiers(Device.CPU), network -> ModelDescription.NONE, 1 << 20);
        following().withBean(LiveModel.class, () -> own).run(context -> {
            assertThat(context).getBean(LiveModel.class).isSameAs(own);
            assertThat(context).doesNotHaveBean(HealthIndicator.class);
        });
    }

    @Test
    void shouldSayWhichSettingIsInvalid() {
        following("fleetgrad.unreachable-after=-1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("fleetgrad.unreachable-after must be a time of 0ms or more, such as 100ms; it is"
                                + " PT-1S"));
        following("fleetgrad.access-key=reader")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("fleetgrad.secret-key"));
    }

    @Test
    void shouldHideTheKeys() {
        assertThat(new FleetgradAccess("reader", null, "hush", null, null).toString())
                .doesNotContain("hush");
    }
}
