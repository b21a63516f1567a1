package org.fleetgrad.serving.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.PredictionOutcome.OtherForm;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Amount;
import org.fleetgrad.serving.PredictionResult.Scores;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series as JSON, and what a network says of each. */
class JsonSeriesTest {

    private static final TableTarget WAVES = new ClassTarget("y", List.of("0", "1", "2"));
    private static final TableTarget HEIGHT = new NumberTarget("y", 4000, 1000);

    private static SeriesSchema two(TableTarget target) {
        return new SeriesSchema(3, List.of(new Channel(1, 2), new Channel(-10, 1)), target);
    }

    private static SeriesSchema one(TableTarget target) {
        return new SeriesSchema(3, List.of(new Channel(1, 2)), target);
    }

    private static Images read(SeriesSchema schema, String body) {
        return new JsonSeries(schema, 2).read(body.getBytes(StandardCharsets.UTF_8), new SampleMemory(1 << 20).lease());
    }

    @Test
    void shouldStandardizeEachChannel() {
        Images series = read(two(WAVES), "{\"inputs\":[[[1,3,-1],[-10,-9,0]],[[0,0,0],[0,0,0]]]}");

        assertThat(series.count()).isEqualTo(2);
        assertThat(series.pixels()).containsExactly(0, 1, -1, 0, 1, 10, -0.5f, -0.5f, -0.5f, 10, 10, 10);
        assertThat(read(two(WAVES), "{\"input\":[[1,3,-1],[-10,-9,0]]}").pixels())
                .containsExactly(0, 1, -1, 0, 1, 10);
    }

    @Test
    void shouldTakeOneChannelWithAndWithoutAnArrayAroundIt() {
        assertThat(read(one(WAVES), "{\"inputs\":[[1,3,-1],[[3,1,1]]]}").pixels())
                .containsExactly(0, 1, -1, 1, 0, 0);
        assertThat(read(one(WAVES), "{\"input\":[1,3,-1]}").pixels()).containsExactly(0, 1, -1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"inputs\":[[[1,2,3]]]}|input 0 must have 2 channels of 3 values; it has 1 channels",
                "{\"inputs\":[[1,2,3]]}|input 0 must have 2 channels of 3 values; it has 3 channels",
                "{\"inputs\":[[[1,2,3],[1,2]]]}|channel 1 of input 0 must have 3 values; it has 2",
                "{\"inputs\":[[[1,2,3],7]]}|channel 1 of input 0 must have 3 values; it is a number",
                "{\"inputs\":[7]}|input 0 must be an array of 2 channels of 3 values; it is a number",
                "{\"inputs\":[[[1,2,3],[1,2,null]]]}|value 2 of channel 1 of input 0 must be a number; it is null",
                "{\"inputs\":[[[1,2,\"3\"],[1,2,3]]]}|value 2 of channel 0 of input 0 must be a number; it is a string",
                "{\"inputs\":[[[1,2,1e300],[1,2,3]]]}|value 2 of channel 0 of input 0 must be a number near those of the training samples; it is",
                "{\"inputs\":[[[1,2,1e999],[1,2,3]]]}|value 2 of channel 0 of input 0 must be a number",
                "{\"inputs\":[[[1,2,NaN],[1,2,3]]]}|the body is not JSON",
                "{\"inputs\":[]}|'inputs' is empty",
                "{\"inputs\":[[],[],[]]}|the request has 3 inputs; the limit is 2",
                "{\"images\":[[]]}|the body must be {\"input\": SERIES} or {\"inputs\": [SERIES, ...]}; it has [images]",
                "{\"input\":[1],\"inputs\":[]}|the body must be",
                "[1]|it is no object"
            })
    void shouldSayWhatIsExpectedAndWhatThereIs(String body, String message) {
        assertThatThrownBy(() -> read(two(WAVES), body))
                .isInstanceOf(InvalidImagesException.class)
                .hasMessageContaining(message);
    }

    private static TensorSet parameters(SeriesSchema schema, String network) {
        NetworkDefinition definition = Networks.named(network, schema.task());
        Map<String, String> metadata = new HashMap<>(schema.metadata());
        metadata.putAll(definition.spec().metadata());
        return TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(3), metadata);
    }

    @ParameterizedTest
    @CsvSource({"series?hidden=4", "series?hidden=4&kind=lstm"})
    void shouldAnswerClassesOrANumberInUnits(String network) {
        try (LiveModel model =
                new LiveModel(new NetworkClassifiers(Device.CPU), name -> ModelDescription.NONE, 1 << 20)) {
            byte[] body = "{\"input\":[[1,3,-1],[-10,-9,0]]}".getBytes(StandardCharsets.UTF_8);
            model.swapTo(new ParameterVersion("g", 1), parameters(two(HEIGHT), network));
            Images series =
                    model.form(WantedVersion.BY_POLICY).orElseThrow().read(body, 1, new SampleMemory(1 << 20).lease());
            PredictionResult number = (PredictionResult) model.predict(WantedVersion.BY_POLICY, series);
            assertThat(number.predictions()).singleElement().isInstanceOfSatisfying(Amount.class, amount -> {
                assertThat(amount.target()).isEqualTo("y");
                assertThat(amount.value()).isCloseTo(4000 + 1000.0 * number.logits()[0], within(1e-9));
            });

            model.swapTo(new ParameterVersion("h", 1), parameters(two(WAVES), network));
            assertThat(model.predict(WantedVersion.BY_POLICY, series)).isInstanceOf(OtherForm.class);
            Images again =
                    model.form(WantedVersion.BY_POLICY).orElseThrow().read(body, 1, new SampleMemory(1 << 20).lease());
            PredictionResult classes = (PredictionResult) model.predict(WantedVersion.BY_POLICY, again);
            assertThat(classes.predictions()).singleElement().isInstanceOfSatisfying(Scores.class, scores -> {
                assertThat(scores.label()).isEqualTo(Integer.toString(scores.index()));
                assertThat(scores.probabilities()).hasSize(3);
            });
        }
    }

    @Test
    void shouldRefuseToEvaluateOnOtherSeries() {
        SeriesSchema schema = two(WAVES);
        TestSet set = new TestSet(new TableSamples(new float[6], 6, new float[1]), schema);
        String name = Networks.named("series", schema.task()).spec().name();
        ServedNetwork network = new ServedNetwork(name, schema.task(), 100);

        set.requireFor(network, parameters(schema, "series"));

        SeriesSchema other = new SeriesSchema(3, List.of(new Channel(1, 2), new Channel(-10, 1.5)), WAVES);
        assertThatThrownBy(() -> set.requireFor(network, parameters(other, "series")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the model was trained on other series than the held-out ones: their shapes, means or targets differ");
    }
}
