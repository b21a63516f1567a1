package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.ps.PsProperties.OptimizerProperties;
import org.fleetgrad.ps.PsProperties.ScheduleProperties;
import org.fleetgrad.ps.training.TrainingMode;
import org.fleetgrad.ps.training.TrainingSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

class PsPropertiesTest {

    @Test
    void shouldHaveDefaults() {
        PsProperties defaults = bind(Map.of());

        assertThat(defaults)
                .isEqualTo(new PsProperties(
                        "async",
                        1,
                        0,
                        Duration.ofSeconds(30),
                        64,
                        DataSize.ofGigabytes(1),
                        new OptimizerProperties("sgd", 0.01f, 0, 0, false, 0, 0.9f, 0.999f, 1e-8f, false),
                        new ScheduleProperties("constant", 1000, 0.1f, 10_000, 0, 0)));
        assertThat(defaults.training())
                .isEqualTo(new TrainingSettings(
                        new TrainingMode.Async(1),
                        new OptimizerSettings.SgdSettings(0, 0, false, 0),
                        new LearningRateSchedule.Constant(0.01f),
                        64));
    }

    @Test
    void shouldBindEverySetting() {
        PsProperties bound = bind(Map.ofEntries(
                Map.entry("ps.mode", "sync"),
                Map.entry("ps.gradients-per-step", "4"),
                Map.entry("ps.workers-per-step", "3"),
                Map.entry("ps.lease", "2m"),
                Map.entry("ps.queue-capacity", "7"),
                Map.entry("ps.max-body", "5MB"),
                Map.entry("ps.optimizer.name", "adamw"),
                Map.entry("ps.optimizer.learning-rate", "0.5"),
                Map.entry("ps.optimizer.momentum", "0.8"),
                Map.entry("ps.optimizer.dampening", "0.1"),
                Map.entry("ps.optimizer.nesterov", "true"),
                Map.entry("ps.optimizer.weight-decay", "0.01"),
                Map.entry("ps.optimizer.beta1", "0.8"),
                Map.entry("ps.optimizer.beta2", "0.99"),
                Map.entry("ps.optimizer.epsilon", "1e-6"),
                Map.entry("ps.optimizer.amsgrad", "true"),
                Map.entry("ps.schedule.name", "cosine"),
                Map.entry("ps.schedule.step-size", "10"),
                Map.entry("ps.schedule.gamma", "0.5"),
                Map.entry("ps.schedule.total-steps", "200"),
                Map.entry("ps.schedule.minimum", "0.001"),
                Map.entry("ps.schedule.warmup-steps", "20")));

        assertThat(bound)
                .isEqualTo(new PsProperties(
                        "sync",
                        4,
                        3,
                        Duration.ofMinutes(2),
                        7,
                        DataSize.ofMegabytes(5),
                        new OptimizerProperties("adamw", 0.5f, 0.8f, 0.1f, true, 0.01f, 0.8f, 0.99f, 1e-6f, true),
                        new ScheduleProperties("cosine", 10, 0.5f, 200, 0.001f, 20)));
        assertThat(bound.training())
                .isEqualTo(new TrainingSettings(
                        new TrainingMode.Sync(3),
                        new OptimizerSettings.AdamWSettings(0.8f, 0.99f, 1e-6f, 0.01f, true),
                        new LearningRateSchedule.LinearWarmup(20, new LearningRateSchedule.Cosine(0.5f, 200, 0.001f)),
                        7));
    }

    @Test
    void shouldBindFromTheEnvironment() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        Map.of("PS_QUEUECAPACITY", "9", "PS_OPTIMIZER_LEARNINGRATE", "0.25")));

        PsProperties bound = bind(new Binder(ConfigurationPropertySources.get(environment)));

        assertThat(bound.queueCapacity()).isEqualTo(9);
        assertThat(bound.optimizer().learningRate()).isEqualTo(0.25f);
    }

    @Test
    void shouldMakeEachOptimizerAndSchedule() {
        assertThat(bind(Map.of("ps.optimizer.name", "Adam", "ps.optimizer.weight-decay", "0.5"))
                        .training()
                        .optimizer())
                .isEqualTo(new OptimizerSettings.AdamSettings(0.9f, 0.999f, 1e-8f, 0.5f, false));
        assertThat(bind(Map.of("ps.schedule.name", "STEP")).training().schedule())
                .isEqualTo(new LearningRateSchedule.StepDecay(0.01f, 1000, 0.1f));
        assertThat(bind(Map.of("ps.mode", "ASYNC", "ps.gradients-per-step", "5"))
                        .training()
                        .mode())
                .isEqualTo(new TrainingMode.Async(5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ps.lease|99ms|ps.lease is PT0.099S; write 100ms or more, such as 30s",
                "ps.lease|-1s|ps.lease is PT-1S; write 100ms or more, such as 30s",
                "ps.max-body|0B|ps.max-body is 0B; write between 1B and 2047MB, such as 1GB",
                "ps.max-body|2GB|ps.max-body is 2147483648B; write between 1B and 2047MB, such as 1GB",
                "ps.mode|ssp|ps.mode is 'ssp'; write async or sync",
                "ps.gradients-per-step|0|gradientsPerStep must be 1 or more; it is 0",
                "ps.queue-capacity|0|queueCapacity must be 1 or more; it is 0",
                "ps.optimizer.name|rmsprop|ps.optimizer.name is 'rmsprop'; write sgd, adam or adamw",
                "ps.optimizer.momentum|-1|momentum must be 0 or more and finite; it is -1.0",
                "ps.optimizer.learning-rate|NaN|the base learning rate must be 0 or more and finite; it is NaN",
                "ps.schedule.name|linear|ps.schedule.name is 'linear'; write constant, step or cosine",
                "ps.schedule.warmup-steps|-1|the number of warm-up steps must be 1 or more; it is -1"
            })
    void shouldSayWhatToWriteInstead(String key, String value, String message) {
        // Binding wraps what a constructor throws; what it says is the innermost.
        Throwable failure = catchThrowable(() -> bind(Map.of(key, value)).training());

        assertThat(innermost(failure))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"ps.queue-capacity,many", "ps.lease,soon", "ps.max-body,large", "ps.optimizer.nesterov,perhaps"})
    void shouldNameTheKeyOfAValueOfAnotherType(String key, String value) {
        assertThatThrownBy(() -> bind(Map.of(key, value)))
                .hasMessageContaining("Failed to bind properties under '%s'".formatted(key));
    }

    private static Throwable innermost(Throwable failure) {
        Throwable innermost = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return innermost;
    }

    private static PsProperties bind(Map<String, String> settings) {
        return bind(new Binder(new MapConfigurationPropertySource(settings)));
    }

    private static PsProperties bind(Binder binder) {
        return binder.bindOrCreate("ps", PsProperties.class);
    }
}
