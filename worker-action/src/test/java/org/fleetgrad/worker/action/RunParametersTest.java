package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.stream.Stream;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.protocol.encoding.BFloat16;
import org.fleetgrad.protocol.encoding.TopK;
import org.fleetgrad.worker.training.PlainTraining;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class RunParametersTest {

    private static RunParameters parse(String json) {
        return RunParameters.parse(JsonMapper.shared().readTree(json));
    }

    /** The required ones and {@code more}, a JSON member. */
    private static RunParameters with(String more) {
        return parse("""
                {"value":{"apihost":"http://ps:29500","dataset_url":"/data/a.tar.gz",%s}}""".formatted(more));
    }

    @Test
    void shouldHaveTheDefaultsOfTheOriginal() {
        RunParameters parameters = parse("""
                {"value":{"apihost":"http://ps:29500","dataset_url":"http://minio/a.tar.gz?X-Amz-Signature=1"}}""");

        assertThat(parameters.learning().batchSize()).isEqualTo(32);
        assertThat(parameters.epochs()).isEqualTo(8);
        assertThat(parameters.learning().updateInterval()).isEqualTo(8);
        assertThat(parameters.device()).isEqualTo("cpu");
        assertThat(parameters.servers().lead()).isEqualTo(URI.create("http://ps:29500"));
        assertThat(parameters.datasetUrl()).contains("http://minio/a.tar.gz?X-Amz-Signature=1");
        assertThat(parameters.network()).isEmpty();
        assertThat(parameters.firstEpoch()).isZero();
        assertThat(parameters.learning().seed()).isZero();
        assertThat(parameters.worker()).isEmpty();
        assertThat(parameters.credentials()).isEmpty();
        assertThat(parameters.deadline()).isEmpty();
    }

    @Test
    void shouldTakeEverything() {
        RunParameters parameters = parse("""
                {"value":{"batch_sz_train":64,"epoch_n":2,"epoch_first":3,"apihost":"https://ps","update_intv":1,
                "dataset_url":"/a","device":"cuda:1","network":"resnet20?classes=7","seed":7,"worker":"w-3","access_key":"a","secret_key":"s",
                "stranger":{}},
                "deadline":"1795215950210","stranger":[1]}""");

        assertThat(parameters.learning().batchSize()).isEqualTo(64);
        assertThat(parameters.epochs()).isEqualTo(2);
        assertThat(parameters.firstEpoch()).isEqualTo(3);
        assertThat(parameters.servers().lead()).isEqualTo(URI.create("https://ps"));
        assertThat(parameters.learning().updateInterval()).isEqualTo(1);
        assertThat(parameters.datasetUrl()).contains("/a");
        assertThat(parameters.device()).isEqualTo("cuda:1");
        assertThat(parameters.network()).contains("resnet20?classes=7");
        assertThat(parameters.learning().seed()).isEqualTo(7);
        assertThat(parameters.worker()).contains("w-3");
        assertThat(parameters.credentials()).contains(new Credentials("a", "s"));
        assertThat(parameters.toString()).contains("Credentials[hidden]");
        assertThat(parameters.deadline()).hasValue(1795215950210L);
    }

    @Test
    void shouldReadHowGradientsAndParametersTravel() {
        assertThat(with("\"encoding\":\"topk:0.05\",\"pull_encoding\":\"bf16\",\"overlap\":\"true\"")
                        .transfer())
                .isEqualTo(new Transfer(new TopK(0.05), new BFloat16(), true));
        assertThat(with("\"overlap\":false").transfer()).isEqualTo(PlainTraining.TRANSFER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"encoding\":\"zip\"|encoding: there is no encoding 'zip'; there are f32, f16, bf16, i8, topk, 2bit, rows",
                "\"pull_encoding\":\"topk\"|pull_encoding: parameters travel as f32, f16, bf16, i8; not as 'topk'",
                "\"encoding\":16|encoding must be a text; it is 16",
                "\"overlap\":1|overlap must be true or false; it is 1"
            })
    void shouldRefuseWaysThatThereAreNot(String member, String message) {
        assertThatThrownBy(() -> with(member))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldReadWhichSamplesAnEpochHas() {
        assertThat(with("\"sampling\":\"balanced\"").learning().sampling()).isEqualTo(Sampling.BALANCED);
        assertThat(with("\"seed\":1").learning().sampling()).isEqualTo(Sampling.SHUFFLED);
        assertThatThrownBy(() -> with("\"sampling\":\"even\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sampling must be shuffled or balanced; it is 'even'");
    }

    @Test
    void shouldReadTheWeightsOfTheClasses() {
        assertThat(with("\"class_weights\":\"0.5, 4.5\"")
                        .learning()
                        .classWeights()
                        .factors())
                .containsExactly(0.5f, 4.5f);
        assertThat(with("\"seed\":1").learning().classWeights().areEqual()).isTrue();
        assertThatThrownBy(() -> with("\"class_weights\":\"1,-2\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("class_weights: the weight of class 1 must be 0, or from 1e-9 to 1e9; it is -2.0");
        assertThatThrownBy(() -> with("\"class_weights\":[1,2]"))
                .hasMessage("class_weights must be a text; it is [1,2]");
    }

    @Test
    void shouldRefuseTheArrayOfASequence() {
        assertThatThrownBy(() -> parse("{\"value\":[1,{}]}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the arguments must be an object; they are an array of 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"value\":{}}", "null"})
    void shouldSayWhatIsMissingWhereThereAreNoArguments(String body) {
        assertThatThrownBy(() -> parse(body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the parameter apihost is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"64\"", "\" 64 \"", "64"})
    void shouldTakeNumbersAsStrings(String number) {
        assertThat(with("\"batch_sz_train\":" + number).learning().batchSize()).isEqualTo(64);
    }

    @Test
    void shouldTakeNullForAbsent() {
        assertThat(with("\"epoch_n\":null,\"device\":null,\"worker\":null").epochs())
                .isEqualTo(8);
    }

    static Stream<Arguments> wrongNumbers() {
        return Stream.of(
                        Arguments.of("batch_sz_train", 1, 65_536),
                        Arguments.of("epoch_n", 1, 1_000_000),
                        Arguments.of("epoch_first", 0, 1_000_000),
                        Arguments.of("update_intv", 1, 1_000_000),
                        Arguments.of("seed", 0, Integer.MAX_VALUE))
                .flatMap(range -> Stream.of(
                                String.valueOf((int) range.get()[1] - 1),
                                String.valueOf((int) range.get()[2] + 1L),
                                "1.5",
                                "true",
                                "[1]",
                                "{}",
                                "\"\"",
                                "\"many\"",
                                "\"1e3\"",
                                "9223372036854775808",
                                "1" + "0".repeat(60),
                                "\"9223372036854775808\"")
                        .map(value -> Arguments.of(range.get()[0], value, range.get()[1], range.get()[2])));
    }

    @ParameterizedTest
    @MethodSource("wrongNumbers")
    void shouldSayWhichNumberIsWrong(String name, String value, int smallest, int largest) {
        assertThatThrownBy(() -> with("\"%s\":%s".formatted(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s must be a whole number from %d to %d; it is %s", name, smallest, largest, value);
    }

    @ParameterizedTest
    @CsvSource({"apihost, dataset_url", "dataset_url, apihost"})
    void shouldSayWhichParameterIsMissing(String missing, String present) {
        assertThatThrownBy(() -> parse("{\"value\":{\"%s\":\"http://ps\"}}".formatted(present)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the parameter %s is missing", missing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"device|7", "network|\"\"", "worker|\" \"", "network|[\"lenet5\"]", "worker|{}"})
    void shouldSayWhichTextIsWrong(String name, String value) {
        assertThatThrownBy(() -> with("\"%s\":%s".formatted(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s must be a text; it is %s", name, value);
    }

    @ParameterizedTest
    @CsvSource({
        "ps, http://ps",
        "ps:29500, http://ps:29500",
        "10.0.0.7:29500, http://10.0.0.7:29500",
        "http://ps:29500/, http://ps:29500/",
        "https://gateway/fleet/1, https://gateway/fleet/1",
        "' http://ps ', http://ps"
    })
    void shouldTakeAHostWithoutAScheme(String text, String address) {
        assertThat(parse("{\"value\":{\"apihost\":\"%s\",\"dataset_url\":\"/a\"}}".formatted(text))
                        .servers()
                        .lead())
                .isEqualTo(URI.create(address));
    }

    @Test
    void shouldTakeTheAddressesOfSeveralServers() {
        assertThat(parse("{\"value\":{\"apihost\":\"http://ps-0:29500, ps-1:29500\",\"dataset_url\":\"/a\"}}")
                        .servers()
                        .uris())
                .containsExactly(URI.create("http://ps-0:29500"), URI.create("http://ps-1:29500"));
    }

    @Test
    void shouldRefuseAnAddressThatIsThereTwice() {
        assertThatThrownBy(() -> parse("{\"value\":{\"apihost\":\"ps,http://ps\",\"dataset_url\":\"/a\"}}"))
                .hasMessage("apihost must have each address once; it is 'ps,http://ps'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://ps", "http://", "a b", "http://ps:port", "http://ps:-1", "file:///tmp", "http:ps"})
    void shouldRefuseWhatIsNoServer(String text) {
        assertThatThrownBy(() -> parse("{\"value\":{\"apihost\":\"%s\",\"dataset_url\":\"/a\"}}".formatted(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("apihost must be like http://host:29500; it is '%s'", text);
    }

    /** OpenWhisk sends text, its documentation says number; a deadline that is neither must not fail an activation. */
    @ParameterizedTest
    @ValueSource(strings = {"1795215950210", "\"1795215950210\""})
    void shouldTakeADeadlineOfEitherType(String deadline) {
        assertThat(parse("""
                                {"value":{"apihost":"ps","dataset_url":"/a"},"deadline":%s}""".formatted(deadline)).deadline()).hasValue(1795215950210L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\"", "\"soon\"", "1.5", "true", "{}", "100000000000000000000000"})
    void shouldDoWithoutADeadlineThatIsNone(String deadline) {
        assertThat(parse("""
                                {"value":{"apihost":"ps","dataset_url":"/a"},"deadline":%s}""".formatted(deadline)).deadline()).isEmpty();
    }

    @Test
    void shouldTakeWorkFromTheServerWhenItIsToldTo() {
        RunParameters parameters = parse("""
                {"value":{"apihost":"ps","shards":"queue","shard_n":3}}""");

        assertThat(parameters.datasetUrl()).isEmpty();
        assertThat(parameters.shardLimit()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"apihost":"ps","shards":"all"}                          | shards must be "queue", or be left out and dataset_url given; it is "all"
                    {"apihost":"ps","shards":"queue","dataset_url":"/a"}     | shards is "queue" and dataset_url is given: the server assigns other shards; leave one of them out
                    {"apihost":"ps","shards":"queue","shard_n":-1}           | shard_n must be a whole number from 0 to 1000000; it is -1
                    {"apihost":"ps","shards":"queue","work_wait":"soon"}     | work_wait must be a whole number from 0 to 1000000; it is "soon"
                    """)
    void shouldSayWhatIsWrongAboutShards(String value, String message) {
        assertThatThrownBy(() -> parse("{\"value\":" + value + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
