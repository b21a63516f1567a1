package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.ps.PsProperties.DurabilityProperties;
import org.fleetgrad.ps.settings.TrainingMode;
import org.fleetgrad.ps.settings.TrainingMode.StepSize;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
import org.jspecify.annotations.Nullable;
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
                        null,
                        null,
                        0,
                        0,
                        3,
                        Duration.ofSeconds(30),
                        1024,
                        64,
                        DataSize.ofGigabytes(1),
                        null,
                        null,
                        null,
                        null,
                        new SlowClientProperties(DataSize.ofKilobytes(16), Duration.ofSeconds(10)),
                        0,
                        null,
                        new AggregationProperties("mean", null),
                        "sgd",
                        null,
                        "constant",
                        "none",
                        32,
                        new DurabilityProperties("none", "fleetgrad-checkpoints", Duration.ofSeconds(60), 0, null, 3)));
        assertThat(defaults.training())
                .isEqualTo(new TrainingSettings(
                        new TrainingMode.Async(1),
                        new OptimizerSettings.SgdSettings(0, 0, false, 0),
                        new StalenessRule.None(),
                        32,
                        new LearningRateSchedule.Constant(0.01f),
                        TrainingSettings.DecayScope.EVERYTHING,
                        64,
                        0));
    }

    @Test
    void shouldBindEverySetting() {
        String optimizer = "adamw:beta1=0.8,beta2=0.99,epsilon=1e-6,weight-decay=0.01,amsgrad=true,matrices-only=true";
        PsProperties bound = bind(Map.ofEntries(
                Map.entry("ps.mode", "async"),
                Map.entry("ps.gradients-per-step", "4"),
                Map.entry("ps.max-lead", "5"),
                Map.entry("ps.lease", "2m"),
                Map.entry("ps.max-workers", "9"),
                Map.entry("ps.max-pending", "9MB"),
                Map.entry("ps.max-snapshots", "6"),
                Map.entry("ps.snapshot-memory", "7MB"),
                Map.entry("ps.unix-socket", "/run/ps.sock"),
                Map.entry("ps.slow-client.rate", "3KB"),
                Map.entry("ps.slow-client.grace-period", "4s"),
                Map.entry("ps.max-gradient-norm", "2.5"),
                Map.entry("ps.aggregation.rule", "mean"),
                Map.entry("ps.resume-from", "model.safetensors"),
                Map.entry("ps.staleness", "delay-compensated:lambda=0.5"),
                Map.entry("ps.staleness-history", "8"),
                Map.entry("ps.durability.mode", "journal"),
                Map.entry("ps.durability.location", "s3://b/p"),
                Map.entry("ps.durability.checkpoint-interval", "5s"),
                Map.entry("ps.durability.checkpoint-versions", "100"),
                Map.entry("ps.durability.journal-size", "1MB"),
                Map.entry("ps.durability.keep", "2"),
                Map.entry("ps.queue-capacity", "7"),
                Map.entry("ps.max-body", "5MB"),
                Map.entry("ps.optimizer", optimizer),
                Map.entry("ps.learning-rate", "0.5"),
                Map.entry("ps.schedule", "cosine:total=200,minimum=0.001,warmup=20")));

        assertThat(bound)
                .isEqualTo(new PsProperties(
                        "async",
                        4,
                        null,
                        0,
                        0,
                        5,
                        Duration.ofMinutes(2),
                        9,
                        7,
                        DataSize.ofMegabytes(5),
                        DataSize.ofMegabytes(9),
                        6,
                        DataSize.ofMegabytes(7),
                        "/run/ps.sock",
                        new SlowClientProperties(DataSize.ofKilobytes(3), Duration.ofSeconds(4)),
                        2.5,
                        "model.safetensors",
                        new AggregationProperties("mean", null),
                        optimizer,
                        0.5f,
                        "cosine:total=200,minimum=0.001,warmup=20",
                        "delay-compensated:lambda=0.5",
                        8,
                        new DurabilityProperties(
                                "journal", "s3://b/p", Duration.ofSeconds(5), 100, DataSize.ofMegabytes(1), 2)));
        assertThat(bound.training())
                .isEqualTo(new TrainingSettings(
                        new TrainingMode.Async(4),
                        new OptimizerSettings.AdamWSettings(0.8f, 0.99f, 1e-6f, 0.01f, true),
                        new StalenessRule.DelayCompensated(0.5f),
                        8,
                        new LearningRateSchedule.LinearWarmup(20, new LearningRateSchedule.Cosine(0.5f, 200, 0.001f)),
                        DecayScope.MATRICES,
                        7,
                        2.5));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "median, -, median",
                "trimmed-mean, 2, trimmed-mean without 2 on each side",
                "krum, -, krum against 1"
            })
    void shouldBindTheAggregationOfAStep(String rule, @Nullable Integer outliers, String described) {
        Map<String, String> settings = new HashMap<>(Map.of("ps.mode", "sync", "ps.aggregation.rule", rule));
        if (outliers != null) {
            settings.put("ps.aggregation.outliers", outliers.toString());
        }

        assertThat(bind(settings).training().mode().aggregation().describe()).isEqualTo(described);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "async | median | | ps.aggregation.rule other than mean is a setting of mode sync without ps.samples-per-step, but ps.mode is 'async'; remove one of them",
                "sync | krum | 0 | ps.aggregation.outliers is 0; write 1 or more",
                "sync | median | 2 | ps.aggregation.outliers is 2, but the rule median has no such number; remove it, or write trimmed-mean or krum",
                "sync | mode | | ps.aggregation.rule is 'mode'; write mean, median, trimmed-mean or krum"
            })
    void shouldRefuseAnAggregationThatCannotBe(String mode, String rule, @Nullable String outliers, String message) {
        Map<String, String> settings = new HashMap<>(Map.of("ps.mode", mode, "ps.aggregation.rule", rule));
        if (outliers != null) {
            settings.put("ps.aggregation.outliers", outliers);
        }

        assertThatThrownBy(() -> bind(settings).training()).hasMessage(message);
    }

    @Test
    void shouldBindFromTheEnvironment() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        Map.of("PS_QUEUECAPACITY", "9", "PS_LEARNINGRATE", "0.25")));

        PsProperties bound = bind(new Binder(ConfigurationPropertySources.get(environment)));

        assertThat(bound.queueCapacity()).isEqualTo(9);
        assertThat(bound.learningRate()).isEqualTo(0.25f);
    }

    @Test
    void shouldMakeEachOptimizerAndSchedule() {
        assertThat(bind(Map.of("ps.optimizer", "Adam:weight-decay=0.5"))
                        .training()
                        .optimizer())
                .isEqualTo(new OptimizerSettings.AdamSettings(0.9f, 0.999f, 1e-8f, 0.5f, false));
        assertThat(bind(Map.of("ps.optimizer", "adam")).training().schedule())
                .as("the usual learning rate of the optimizer")
                .isEqualTo(new LearningRateSchedule.Constant(0.001f));
        assertThat(bind(Map.of("ps.schedule", "STEP:every=1000")).training().schedule())
                .isEqualTo(new LearningRateSchedule.StepDecay(0.01f, 1000, 0.1f));
        assertThat(bind(Map.of("ps.schedule", "step:milestones=100,300"))
                        .training()
                        .schedule())
                .isEqualTo(new LearningRateSchedule.Milestones(0.01f, List.of(100L, 300L), 0.1f));
        assertThat(bind(Map.of("ps.mode", "ASYNC", "ps.gradients-per-step", "5"))
                        .training()
                        .mode())
                .isEqualTo(new TrainingMode.Async(5));
    }

    @Test
    void shouldMakeEachMode() {
        assertThat(mode(Map.of())).isEqualTo(new TrainingMode.Async(1));
        assertThat(mode(Map.of("ps.samples-per-step", "128")))
                .isEqualTo(new TrainingMode.Async(StepSize.ofSamples(128)));
        assertThat(mode(Map.of("ps.mode", "sync"))).isEqualTo(new TrainingMode.Sync(0, 0));
        assertThat(mode(Map.of("ps.mode", "sync", "ps.workers-per-step", "3"))).isEqualTo(new TrainingMode.Sync(3, 0));
        assertThat(mode(Map.of("ps.mode", "sync", "ps.backup-workers", "1"))).isEqualTo(new TrainingMode.Sync(0, 1));
        assertThat(mode(Map.of("ps.mode", "sync", "ps.samples-per-step", "256")))
                .isEqualTo(new TrainingMode.SyncBySamples(256));
        assertThat(mode(Map.of("ps.mode", "SSP", "ps.max-lead", "2"))).isEqualTo(new TrainingMode.Ssp(2));
        assertThat(mode(Map.of("ps.mode", "ssp"))).isEqualTo(new TrainingMode.Ssp(3));
    }

    private static TrainingMode mode(Map<String, String> settings) {
        return bind(settings).training().mode();
    }

    @Test
    void shouldMakeEachStalenessRule() {
        assertThat(rule("none")).isEqualTo(new StalenessRule.None());
        assertThat(rule("damped")).isEqualTo(new StalenessRule.Damped());
        assertThat(rule("delay-compensated")).isEqualTo(new StalenessRule.DelayCompensated(0.04f));
        assertThat(rule("adaptive-delay-compensated")).isEqualTo(new StalenessRule.AdaptiveDelayCompensated(2f, 0.95f));
        assertThat(rule("gap-aware")).isEqualTo(new StalenessRule.GapAware(0.999f));
        assertThat(rule("look-ahead")).isEqualTo(new StalenessRule.LookAhead());
        assertThat(rule("Look-Ahead-Slim")).isEqualTo(new StalenessRule.LookAheadSlim());
    }

    private static StalenessRule rule(String name) {
        return bind(Map.of("ps.staleness", name, "ps.optimizer", "sgd:momentum=0.9"))
                .training()
                .rule();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ps.mode=sync,ps.gradients-per-step=4|ps.gradients-per-step is a setting of mode async, but ps.mode is 'sync'; remove one of them",
                "ps.mode=async,ps.backup-workers=1|ps.backup-workers is a setting of mode sync, but ps.mode is 'async'; remove one of them",
                "ps.mode=ssp,ps.samples-per-step=9|ps.samples-per-step is a setting of mode async or sync, but ps.mode is 'ssp'; remove one of them",
                "ps.gradients-per-step=2,ps.samples-per-step=9|ps.gradients-per-step is 2 and ps.samples-per-step is 9; a step needs one of them, remove the other",
                "ps.mode=sync,ps.workers-per-step=2,ps.backup-workers=1|workersPerStep 2 says how many make a step, so all others are backups: leave backupWorkers 0, not 1",
                "ps.mode=sync,ps.staleness=damped|the staleness rule damped never acts in mode sync, where every gradient has staleness 0: write the rule none, or the mode async or ssp",
                "ps.gradients-per-step=2,ps.staleness=gap-aware|the staleness rule gap-aware knows one worker's gradient a step: write gradientsPerStep 1, or the rule none, damped or delay-compensated"
            })
    void shouldSayWhichSettingsDoNotGoTogether(String settings, String message) {
        Map<String, String> map = new HashMap<>();
        for (String setting : settings.split(",")) {
            map.put(setting.split("=")[0], setting.split("=")[1]);
        }

        Throwable failure = catchThrowable(() -> bind(map).training());

        assertThat(innermost(failure))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ps.max-pending|0B|ps.max-pending is 0B; write 1B or more, such as 256MB",
                "ps.max-snapshots|1|ps.max-snapshots is 1; write 2 or more, such as 32",
                "ps.snapshot-memory|0B|ps.snapshot-memory is 0B; write 1B or more, such as 256MB",
                "ps.slow-client.rate|0B|ps.slow-client.rate is 0B; write 1B or more, such as 16KB",
                "ps.slow-client.grace-period|99ms|ps.slow-client.grace-period is PT0.099S; write 100ms or more, such as 10s",
                "ps.samples-per-step|0|samplesPerStep must be 1 or more; it is 0",
                "ps.staleness-history|0|the history must be 1 version or more; it is 0",
                "ps.staleness|best|there is no staleness rule 'best': write none, damped, delay-compensated:lambda=0.04, adaptive-delay-compensated:lambda=2,decay=0.95, gap-aware:decay=0.999, look-ahead or look-ahead-slim",
                "ps.lease|99ms|ps.lease is PT0.099S; write 100ms or more, such as 30s",
                "ps.lease|-1s|ps.lease is PT-1S; write 100ms or more, such as 30s",
                "ps.max-body|0B|ps.max-body is 0B; write between 1B and 2047MB, such as 1GB",
                "ps.max-body|2GB|ps.max-body is 2147483648B; write between 1B and 2047MB, such as 1GB",
                "ps.mode|hogwild|ps.mode is 'hogwild'; write async, sync or ssp",
                "ps.gradients-per-step|0|gradientsPerStep must be 1 or more; it is 0",
                "ps.queue-capacity|0|queueCapacity must be 1 or more; it is 0",
                "ps.optimizer|rmsprop|there is no optimizer 'rmsprop': write sgd:momentum=0.9,nesterov=true, adam:beta2=0.99 or adamw:weight-decay=0.05",
                "ps.optimizer|sgd:momentum=-1|momentum must be 0 or more and finite; it is -1.0",
                "ps.learning-rate|NaN|the base learning rate must be 0 or more and finite; it is NaN",
                "ps.schedule|linear|there is no schedule 'linear': write constant, cosine, cosine:total=90,minimum=0.001, step:every=30,gamma=0.1 or step:milestones=80,120,gamma=0.1",
                "ps.schedule|cosine|the schedule 'cosine' needs total, the samples until the minimum, such as cosine:total=600000",
                "ps.schedule|step:every=0.5|lengths of the schedule are whole numbers of samples here, at most 9007199254740992, such as 600000; one is 0.5",
                "ps.schedule|cosine:total=9,minimum=2|the minimum learning rate must not be more than the base; they are 2.0 and 0.01"
            })
    void shouldSayWhatToWriteInstead(String key, String value, String message) {
        // Binding wraps the constructor's exception; the innermost one has the message.
        Throwable failure = catchThrowable(() -> bind(Map.of(key, value)).training());

        assertThat(innermost(failure))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"ps.queue-capacity,many", "ps.lease,soon", "ps.max-body,large", "ps.learning-rate,fast"})
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
