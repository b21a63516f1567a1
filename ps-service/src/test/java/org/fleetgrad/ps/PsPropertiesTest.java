package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.optim.TrainingMode.StepSize;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.fleetgrad.ps.PsProperties.DurabilityProperties;
import org.fleetgrad.ps.PsProperties.LocalProperties;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
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
                        "",
                        "",
                        null,
                        "mean",
                        "sgd",
                        null,
                        "constant",
                        "none",
                        32,
                        new DurabilityProperties("none", "fleetgrad-checkpoints", Duration.ofSeconds(60), 0, null, 3),
                        new LocalProperties(1, "adamw", null),
                        0.1,
                        null,
                        null));
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
                Map.entry("ps.mode", "async:gradients=4"),
                Map.entry("ps.lease", "2m"),
                Map.entry("ps.max-workers", "9"),
                Map.entry("ps.max-pending", "9MB"),
                Map.entry("ps.max-snapshots", "6"),
                Map.entry("ps.snapshot-memory", "7MB"),
                Map.entry("ps.unix-socket", "/run/ps.sock"),
                Map.entry("ps.slow-client.rate", "3KB"),
                Map.entry("ps.slow-client.grace-period", "4s"),
                Map.entry("ps.max-gradient-norm", "2.5"),
                Map.entry("ps.freeze", "layer1.*, bn1.*"),
                Map.entry("ps.rate-for", "fc.*=10"),
                Map.entry("ps.aggregation", "mean"),
                Map.entry("ps.resume-from", "model.safetensors"),
                Map.entry("ps.staleness", "delay-compensated:lambda=0.5"),
                Map.entry("ps.staleness-history", "8"),
                Map.entry("ps.durability.mode", "journal"),
                Map.entry("ps.durability.location", "s3://b/p"),
                Map.entry("ps.durability.checkpoint-interval", "5s"),
                Map.entry("ps.durability.checkpoint-versions", "100"),
                Map.entry("ps.durability.journal-size", "1MB"),
                Map.entry("ps.durability.keep", "2"),
                Map.entry("ps.local.steps", "8"),
                Map.entry("ps.local.optimizer", "sgd:momentum=0.5"),
                Map.entry("ps.local.learning-rate", "0.1"),
                Map.entry("ps.try-it-page", "https://model.example/"),
                Map.entry("ps.added-work-share", "0.25"),
                Map.entry("ps.earlier-runs", "earlier-runs.json"),
                Map.entry("ps.queue-capacity", "7"),
                Map.entry("ps.max-body", "5MB"),
                Map.entry("ps.optimizer", optimizer),
                Map.entry("ps.learning-rate", "0.5"),
                Map.entry("ps.schedule", "cosine:total=200,minimum=0.001,warmup=20")));

        assertThat(bound)
                .isEqualTo(new PsProperties(
                        "async:gradients=4",
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
                        "layer1.*, bn1.*",
                        "fc.*=10",
                        "model.safetensors",
                        "mean",
                        optimizer,
                        0.5f,
                        "cosine:total=200,minimum=0.001,warmup=20",
                        "delay-compensated:lambda=0.5",
                        8,
                        new DurabilityProperties(
                                "journal", "s3://b/p", Duration.ofSeconds(5), 100, DataSize.ofMegabytes(1), 2),
                        new LocalProperties(8, "sgd:momentum=0.5", 0.1f),
                        0.25,
                        Path.of("earlier-runs.json"),
                        URI.create("https://model.example/")));
        assertThat(bound.training())
                .isEqualTo(new TrainingSettings(
                        new TrainingMode.Async(4),
                        new OptimizerSettings.AdamWSettings(0.8f, 0.99f, 1e-6f, 0.01f, true),
                        new StalenessRule.DelayCompensated(0.5f),
                        8,
                        new LearningRateSchedule.LinearWarmup(20, new LearningRateSchedule.Cosine(0.5f, 200, 0.001f)),
                        DecayScope.MATRICES,
                        7,
                        2.5,
                        FreezePatterns.parse("bn1.*,layer1.*"),
                        RatePatterns.parse("fc.*=10"),
                        Optional.of(new LocalSteps(8, OptimizerSpec.parse("sgd:momentum=0.5"), 0.1))));
    }

    @Test
    void shouldMakeNoLocalStepsUnlessItIsSet() {
        assertThat(bind(Map.of("ps.local.steps", "1", "ps.local.learning-rate", "3"))
                        .training()
                        .local())
                .isEmpty();
        assertThat(bind(Map.of("ps.local.steps", "32")).training().local())
                .contains(new LocalSteps(32, OptimizerSpec.parse("adamw"), 0.001));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ps.local.steps | 0 | ps.local.steps is 0; write from 1 to 1000000, such as 1 or 32",
                "ps.local.steps | 1000001 | ps.local.steps is 1000001; write from 1 to 1000000, such as 1 or 32",
                "ps.local.learning-rate | 0 | ps.local.learning-rate is 0.0; write a finite number above 0, such as 0.001",
                "ps.local.learning-rate | NaN | ps.local.learning-rate is NaN; write a finite number above 0, such as 0.001",
                "ps.local.optimizer | sgd:nesterov=true | ps.local.optimizer is 'sgd:nesterov=true': Nesterov momentum needs a momentum of more than 0 and a dampening of 0; they are 0.0 and 0.0"
            })
    void shouldRefuseLocalStepsThatCannotBe(String setting, String value, String message) {
        assertThatThrownBy(() -> bind(Map.of(setting, value)).training()).hasMessage(message);
    }

    @Test
    void shouldBindTheAggregationOfAStep() {
        assertThat(mode(Map.of("ps.mode", "sync", "ps.aggregation", "trimmed-mean:outliers=2")))
                .isEqualTo(new TrainingMode.Sync(0, 0, new Aggregation.TrimmedMean(2)));
        assertThat(mode(Map.of("ps.mode", "sync:workers=7", "ps.aggregation", "Krum")))
                .isEqualTo(new TrainingMode.Sync(7, 0, new Aggregation.Krum(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "async | median | ps.mode is 'async': the aggregation median needs the mode sync without samples; the mode is async",
                "sync:samples=9 | krum | ps.mode is 'sync:samples=9': the aggregation krum needs the mode sync without samples; the mode is sync:samples=9",
                "sync | krum:outliers=0 | ps.aggregation is 'krum:outliers=0': outliers must be 1 or more; it is 0",
                "sync | median:outliers=2 | ps.aggregation is 'median:outliers=2': the aggregation 'median' has no outliers: write mean, median, trimmed-mean:outliers=1 or krum:outliers=1",
                "sync | mode | ps.aggregation is 'mode': there is no aggregation 'mode': write mean, median, trimmed-mean:outliers=1 or krum:outliers=1"
            })
    void shouldRefuseAnAggregationThatCannotBe(String mode, String rule, String message) {
        assertThatThrownBy(() ->
                        bind(Map.of("ps.mode", mode, "ps.aggregation", rule)).training())
                .hasMessage(message);
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
        assertThat(bind(Map.of("ps.mode", "ASYNC:gradients=5")).training().mode())
                .isEqualTo(new TrainingMode.Async(5));
    }

    @Test
    void shouldMakeEachMode() {
        assertThat(mode(Map.of())).isEqualTo(new TrainingMode.Async(1));
        assertThat(mode(Map.of("ps.mode", "async:samples=128")))
                .isEqualTo(new TrainingMode.Async(StepSize.ofSamples(128)));
        assertThat(mode(Map.of("ps.mode", "sync"))).isEqualTo(new TrainingMode.Sync(0, 0));
        assertThat(mode(Map.of("ps.mode", "sync:workers=3"))).isEqualTo(new TrainingMode.Sync(3, 0));
        assertThat(mode(Map.of("ps.mode", "sync:backup-workers=1"))).isEqualTo(new TrainingMode.Sync(0, 1));
        assertThat(mode(Map.of("ps.mode", "sync:samples=256"))).isEqualTo(new TrainingMode.SyncBySamples(256));
        assertThat(mode(Map.of("ps.mode", "SSP:max-lead=2"))).isEqualTo(new TrainingMode.Ssp(2));
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
                "ps.mode=sync:gradients=4|the mode 'sync' has no gradients: write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode=async:backup-workers=1|the mode 'async' has no backup-workers: write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode=ssp:samples=9|the mode 'ssp' has no samples: write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode=async:gradients=2,samples=9|the mode 'async:gradients=2,samples=9' needs either gradients or samples: write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode=sync:samples=9,workers=2|the mode 'sync:samples=9,workers=2' needs either samples, or workers or backup-workers: write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode=sync:workers=2,backup-workers=1|workers=2 says how many make a step, so all others are backups: leave out backup-workers=1",
                "ps.mode=async:gradients=0.5|gradients is a whole number from 0 to 2147483647; it is 0.5",
                "ps.mode=ssp:max-lead=1e300|max-lead is a whole number from 0 to 2147483647; it is 1.0E300",
                "ps.mode=sync ps.staleness=damped|the staleness rule damped never acts in mode sync, where every gradient has staleness 0: write the rule none, or the mode async or ssp",
                "ps.mode=async:gradients=2 ps.staleness=gap-aware|the staleness rule gap-aware knows one worker's gradient a step: write gradients=1, or the rule none, damped or delay-compensated"
            })
    void shouldSayWhichSettingsDoNotGoTogether(String settings, String message) {
        Map<String, String> map = new HashMap<>();
        for (String setting : settings.split(" ")) {
            map.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
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
                "ps.mode|async:samples=0|samples must be 1 or more; it is 0",
                "ps.staleness-history|0|the history must be 1 version or more; it is 0",
                "ps.staleness|best|there is no staleness rule 'best': write none, damped, delay-compensated:lambda=0.04, adaptive-delay-compensated:lambda=2,decay=0.95, gap-aware:decay=0.999, look-ahead or look-ahead-slim",
                "ps.lease|99ms|ps.lease is PT0.099S; write 100ms or more, such as 30s",
                "ps.lease|-1s|ps.lease is PT-1S; write 100ms or more, such as 30s",
                "ps.max-body|0B|ps.max-body is 0B; write between 1B and 2047MB, such as 1GB",
                "ps.max-body|2GB|ps.max-body is 2147483648B; write between 1B and 2047MB, such as 1GB",
                "ps.mode|hogwild|there is no mode 'hogwild': write async, async:gradients=4, async:samples=256, sync, sync:backup-workers=1, sync:samples=1024 or ssp:max-lead=3",
                "ps.mode|async:gradients=0|gradients must be 1 or more; it is 0",
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
