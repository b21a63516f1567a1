package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fleetgrad.inference.evaluation.TestShardLocation;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

class InferencePropertiesTest {

    @Test
    void shouldHaveDefaults() {
        assertThat(bind(Map.of()))
                .isEqualTo(new InferenceProperties(
                        List.of(URI.create("http://127.0.0.1:29500")),
                        "cpu",
                        null,
                        Duration.ofMillis(500),
                        0.05,
                        null,
                        DataSize.ofMegabytes(64),
                        DataSize.ofMegabytes(256),
                        Duration.ofMillis(100),
                        DataSize.ofMegabytes(16),
                        DataSize.ofMegabytes(64),
                        1 << 20,
                        2048,
                        new VersionPolicy.Latest(),
                        16,
                        DataSize.ofMegabytes(64),
                        "fleetgrad",
                        new InferenceProperties.Batch(32, Duration.ZERO, 2048, DataSize.ofMegabytes(64)),
                        new CompletionProperties(
                                DataSize.ofGigabytes(1),
                                64,
                                1024,
                                16_384,
                                DataSize.ofKilobytes(256),
                                1,
                                Duration.ofMinutes(10)),
                        new FeedbackProperties(
                                DataSize.ofMegabytes(4),
                                0,
                                new LearnProperties(
                                        null,
                                        DataSize.ofMegabytes(64),
                                        1000,
                                        Duration.ofMinutes(1),
                                        DataSize.ofMegabytes(128))),
                        0,
                        List.of(0.1307f),
                        List.of(0.3081f),
                        false,
                        null,
                        null));
    }

    @Test
    void shouldBindEverySetting() {
        assertThat(bind(Map.ofEntries(
                        Map.entry("inference.server", "https://ps.example:8443"),
                        Map.entry("inference.device", "cuda:1"),
                        Map.entry("inference.test-shard", "/data/test.tar.gz"),
                        Map.entry("inference.evaluation-interval", "2s"),
                        Map.entry("inference.evaluation-share", "0.2"),
                        Map.entry("inference.evaluation-target", "0.98"),
                        Map.entry("inference.evaluation-memory", "32MB"),
                        Map.entry("inference.prediction-memory", "128MB"),
                        Map.entry("inference.follow-interval", "1s"),
                        Map.entry("inference.max-image-bytes", "2MB"),
                        Map.entry("inference.body-memory", "48MB"),
                        Map.entry("inference.max-image-pixels", "4096"),
                        Map.entry("inference.max-batch", "8"),
                        Map.entry("inference.policy", "gate:0.01"),
                        Map.entry("inference.held-versions", "3"),
                        Map.entry("inference.held-memory", "96MB"),
                        Map.entry("inference.model-name", "digits"),
                        Map.entry("inference.batch.images", "16"),
                        Map.entry("inference.batch.delay", "2ms"),
                        Map.entry("inference.batch.queue-images", "64"),
                        Map.entry("inference.batch.queue-memory", "1MB"),
                        Map.entry("inference.completions.memory", "3MB"),
                        Map.entry("inference.completions.running", "4"),
                        Map.entry("inference.completions.max-tokens", "5"),
                        Map.entry("inference.completions.max-prompt-tokens", "6"),
                        Map.entry("inference.completions.max-bytes", "7KB"),
                        Map.entry("inference.completions.threads", "8"),
                        Map.entry("inference.completions.timeout", "9s"),
                        Map.entry("inference.feedback.memory", "5MB"),
                        Map.entry("inference.feedback.policy-from", "100"),
                        Map.entry("inference.feedback.learn.folder", "collected"),
                        Map.entry("inference.feedback.learn.inputs", "6MB"),
                        Map.entry("inference.feedback.learn.shard-samples", "50"),
                        Map.entry("inference.feedback.learn.shard-age", "2m"),
                        Map.entry("inference.feedback.learn.folder-size", "7MB"),
                        Map.entry("inference.shadow-share", "0.25"),
                        Map.entry("inference.mean", "0.1,0.2,0.3"),
                        Map.entry("inference.std", "0.4,0.5,0.6"),
                        Map.entry("inference.reuse-port", "true"),
                        Map.entry("inference.dashboard-page", "https://run.example/"),
                        Map.entry("inference.grpc-port", "29601"))))
                .isEqualTo(new InferenceProperties(
                        List.of(URI.create("https://ps.example:8443")),
                        "cuda:1",
                        TestShardLocation.valueOf("/data/test.tar.gz"),
                        Duration.ofSeconds(2),
                        0.2,
                        0.98,
                        DataSize.ofMegabytes(32),
                        DataSize.ofMegabytes(128),
                        Duration.ofSeconds(1),
                        DataSize.ofMegabytes(2),
                        DataSize.ofMegabytes(48),
                        4096,
                        8,
                        new VersionPolicy.Gate(0.01),
                        3,
                        DataSize.ofMegabytes(96),
                        "digits",
                        new InferenceProperties.Batch(16, Duration.ofMillis(2), 64, DataSize.ofMegabytes(1)),
                        new CompletionProperties(
                                DataSize.ofMegabytes(3), 4, 5, 6, DataSize.ofKilobytes(7), 8, Duration.ofSeconds(9)),
                        new FeedbackProperties(
                                DataSize.ofMegabytes(5),
                                100,
                                new LearnProperties(
                                        Path.of("collected"),
                                        DataSize.ofMegabytes(6),
                                        50,
                                        Duration.ofMinutes(2),
                                        DataSize.ofMegabytes(7))),
                        0.25,
                        List.of(0.1f, 0.2f, 0.3f),
                        List.of(0.4f, 0.5f, 0.6f),
                        true,
                        URI.create("https://run.example/"),
                        29_601));
    }

    @Test
    void shouldBindFromEnvironment() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-systemEnvironment",
                        Map.of(
                                "INFERENCE_SERVER",
                                "http://ps:1",
                                "INFERENCE_TEST_SHARD",
                                "a",
                                "INFERENCE_MAXBATCH",
                                "3")));

        InferenceProperties properties = Binder.get(environment).bindOrCreate("inference", InferenceProperties.class);

        assertThat(properties.server()).isEqualTo(List.of(URI.create("http://ps:1")));
        assertThat(properties.testShard()).isEqualTo(TestShardLocation.valueOf("a"));
        assertThat(properties.maxBatch()).isEqualTo(3);
    }

    @Test
    void shouldTakeTheAddressesOfSeveralServers() {
        assertThat(bind(Map.of("inference.server", "http://ps-0:1,http://ps-1:1"))
                        .server())
                .containsExactly(URI.create("http://ps-0:1"), URI.create("http://ps-1:1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server | ps:29500 | inference.server must be an address such as http://127.0.0.1:29500; it is ps:29500",
                "server | ftp://ps | inference.server must be an address such as http://127.0.0.1:29500; it is ftp://ps",
                "evaluation-interval | -1s | inference.evaluation-interval must be a time from 0ms to 1h, such as 500ms; it is PT-1S",
                "evaluation-share | 0 | inference.evaluation-share must be a share of one processor from 0.001 to 1, such as 0.05; it is 0.0",
                "evaluation-target | -1 | inference.evaluation-target must be an accuracy or a loss above 0, such as 0.98; it is -1.0",
                "follow-interval | 2h | inference.follow-interval must be a time from 0ms to 1h, such as 500ms; it is PT2H",
                "prediction-memory | 17GB | inference.prediction-memory must be a size from 1B to 16384MB, such as 256MB; it is 18253611008B",
                "evaluation-memory | 0B | inference.evaluation-memory must be a size from 1B to 1024MB, such as 64MB; it is 0B",
                "max-batch | 100000 | inference.max-batch must be a whole number from 1 to 65536; it is 100000",
                "max-image-pixels | 0 | inference.max-image-pixels must be a whole number from 1 to 67108864; it is 0",
                "held-versions | 1 | inference.held-versions must be a whole number from 2 to 64; it is 1",
                "model-name | a/b | inference.model-name must be 1 to 100 letters, digits, dots, dashes or underscores, such as fleetgrad; it is a/b",
                "batch.images | 0 | inference.batch.images must be a whole number from 1 to 65536; it is 0",
                "batch.delay | 2s | inference.batch.delay must be a time from 0ms to 1s, such as 1ms; it is PT2S",
                "batch.queue-images | 0 | inference.batch.queue-images must be a whole number from 1 to 65536; it is 0",
                "batch.queue-memory | 0B | inference.batch.queue-memory must be a size from 1B to 1024MB, such as 64MB; it is 0B",
                "completions.memory | 0B | inference.completions.memory must be a size from 1B to 1048576MB, such as 1GB; it is 0B",
                "completions.running | 0 | inference.completions.running must be a whole number from 1 to 65536; it is 0",
                "completions.max-tokens | 0 | inference.completions.max-tokens must be a whole number from 1 to 1048576; it is 0",
                "completions.max-prompt-tokens | 0 | inference.completions.max-prompt-tokens must be a whole number from 1 to 1048576; it is 0",
                "completions.max-bytes | 1GB | inference.completions.max-bytes must be a size from 1B to 64MB, such as 256KB; it is 1073741824B",
                "completions.threads | 65 | inference.completions.threads must be a whole number from 1 to 64; it is 65",
                "completions.timeout | 0ms | inference.completions.timeout must be a time from 1ms to 24h, such as 10m; it is PT0S",
                "feedback.memory | 1KB | inference.feedback.memory must be a size from 64KB to 1024MB, such as 4MB; it is 1024B",
                "feedback.learn.folder | collected | inference.feedback.learn.folder must be without a value unless inference.test-shard names held-out samples, which say what the classes are; it is collected",
                "feedback.learn.shard-samples | 0 | inference.feedback.learn.shard-samples must be a whole number from 1 to 10000; it is 0",
                "feedback.learn.shard-age | 0ms | inference.feedback.learn.shard-age must be a time up to 24h, such as 1m; it is PT0S",
                "feedback.policy-from | -1 | inference.feedback.policy-from must be a number of labels such as 100, or 0 for policies by held-out scores alone; it is -1",
                "shadow-share | 1.5 | inference.shadow-share must be a share of the requests from 0 to 1, such as 0.05; it is 1.5",
                "policy | worst | a policy is latest, previous, best, pinned:VERSION such as pinned:12, or gate:DIFFERENCE such as gate:0.01; it is 'worst'",
                "max-image-bytes | 0B | inference.max-image-bytes must be a size from 1B to 64MB, such as 16MB; it is 0B",
                "max-image-bytes | 1GB | inference.max-image-bytes must be a size from 1B to 64MB, such as 16MB; it is 1073741824B",
                "held-memory | 0B | inference.held-memory must be a size from 1B to 1048576MB, such as 64MB; it is 0B",
                "body-memory | 0B | inference.body-memory must be a size from 1B to 1024MB, such as 64MB; it is 0B",
                "mean | NaN | inference.mean must be numbers, such as 0.1307; it is [NaN]",
                "std | 0 | inference.std must be as many positive numbers as inference.mean has (1), such as 0.3081; it is [0.0]",
                "std | 1,2 | inference.std must be as many positive numbers as inference.mean has (1), such as 0.3081; it is [1.0, 2.0]"
            })
    void shouldSayWhatToWriteInstead(String name, String value, String message) {
        assertThatThrownBy(() -> bind(Map.of("inference." + name, value)))
                .isInstanceOf(BindException.class)
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inference.device=tpu | device must be cpu, gpu or cuda:0 (any number); it is 'tpu'",
                "inference.test-shard=ftp://store/test.tar.gz | inference.test-shard must be a shard's path or http(s) URL, or a dataset's folder or s3://bucket/prefix; it is 'ftp://store/test.tar.gz'",
                "inference.test-shard=s3://datasets/mnist | s3://datasets/mnist needs S3_ENDPOINT",
                "inference.max-batch=many | For input string: \"many\""
            })
    void shouldNotStartWithWrongSetting(String setting, String message) {
        assertThatThrownBy(() -> RunningService.start(setting)).rootCause().hasMessageContaining(message);
    }

    private static InferenceProperties bind(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
        return new Binder(ConfigurationPropertySources.get(environment))
                .bindOrCreate("inference", InferenceProperties.class);
    }
}
