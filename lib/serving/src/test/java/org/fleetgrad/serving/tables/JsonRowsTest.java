package org.fleetgrad.serving.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableJson;
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
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows by the names of their columns, and the number that a network says of each. */
class JsonRowsTest {

    private static TableSchema schema(double mean) {
        return new TableSchema(
                List.of(
                        new NumberColumn("carat", mean, 0.5, false),
                        new CategoryColumn("cut", List.of("Fair", "Good", "Ideal"))),
                new NumberTarget("price", 4000, 1000));
    }

    private static Images read(TableSchema schema, String body) {
        return new JsonRows(schema, 2).read(body.getBytes(StandardCharsets.UTF_8), new SampleMemory(1 << 20).lease());
    }

    @Test
    void shouldReadRowsByTheNamesOfTheirColumns() {
        Images rows = read(schema(1), "{\"rows\":[{\"carat\":1.5,\"cut\":\"Good\"},{\"cut\":null,\"carat\":\"0.5\"}]}");

        assertThat(rows.count()).isEqualTo(2);
        assertThat(rows.pixels()).containsExactly(1, 0, 1, 0, -1, 0, 0, 0);
        assertThat(read(schema(1), "{\"row\":{\"carat\":1}}").pixels()).containsExactly(0, 0, 0, 0);
    }

    @Test
    void shouldTakeTrueAndFalseAsTheTableSpellsThem() {
        TableSchema schema = new TableSchema(
                List.of(
                        new CategoryColumn("pandas", List.of("False", "True")),
                        new CategoryColumn("capitals", List.of("FALSE", "TRUE")),
                        new CategoryColumn("json", List.of("True", "false", "true"))),
                new NumberTarget("price", 4000, 1000));

        assertThat(read(schema, "{\"row\":{\"pandas\":true,\"capitals\":true,\"json\":true}}")
                        .pixels())
                .containsExactly(0, 1, 0, 1, 0, 0, 1);
        assertThat(read(schema, "{\"row\":{\"pandas\":false,\"capitals\":false,\"json\":false}}")
                        .pixels())
                .containsExactly(1, 0, 1, 0, 0, 1, 0);
        assertThat(read(schema, "{\"row\":{\"pandas\":\"true\"}}").pixels()).containsOnly(0);
    }

    @Test
    void shouldInvertImagesOnly() {
        Images row = read(schema(1), "{\"row\":{\"carat\":1}}");

        assertThatThrownBy(row::inverted)
                .isInstanceOf(InvalidImagesException.class)
                .hasMessage("only images can be inverted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|it has neither",
                "{\"row\"|the body is not JSON",
                "{\"image\":[1]}|it has 'image', which is an array",
                "{\"row\":{},\"rows\":[]}|it has more content after 'row'",
                "{\"rows\":[]}|'rows' is empty",
                "{\"rows\":[{},{},{}]}|the request has 3 rows; the limit is 2",
                "{\"rows\":[1]}|row 0 must be an object; it is a number",
                "{\"rows\":[{},{\"colour\":1}]}|row 1 cannot be read: there is no column 'colour'; the 2 columns are carat, cut",
                "{\"row\":{\"price\":1}}|there is no column 'price' to predict from, it is the target",
                "{\"row\":{\"carat\":\"much\"}}|row 0 cannot be read: ",
                "{\"row\":{\"carat\":1e999}}|row 0 cannot be read: ",
                "{\"row\":{\"carat\":[1]}}|row 0 cannot be read: the column 'carat' takes a text, a number or null",
                "{\"row\":{\"carat\":1,\"carat\":2}}|the body is not JSON",
                "{\"row\":{}} 1|it has more content after 'row'",
                "{\"row\":{\"carat\":1}|the body is not JSON",
                "{\"row\":7}|it has 'row', which is a number",
                "{\"row\":{\"cut\":{\"a\":1}}}|the column 'cut' takes a text, a number or null; it is an object"
            })
    void shouldSayWhatIsWrong(String body, String message) {
        assertThatThrownBy(() -> read(schema(1), body))
                .isInstanceOf(InvalidImagesException.class)
                .hasMessageContaining(message);
    }

    private static TensorSet parameters(TableSchema schema) {
        NetworkDefinition definition = Networks.named("tabular?hidden=4", schema.task());
        return TensorSet.ofFloats(
                definition.spec().layout(),
                definition.initialParameters(3),
                Map.of("network", definition.spec().name(), "table", TableJson.write(schema)));
    }

    @Test
    void shouldAnswerInTheUnitsOfTheTargetAndNotOfAnotherTable() {
        try (LiveModel model =
                new LiveModel(new NetworkClassifiers(Device.CPU), network -> ModelDescription.NONE, 1 << 20)) {
            TableSchema schema = schema(1);
            model.swapTo(new ParameterVersion("g", 1), parameters(schema));
            String body = "{\"row\":{\"carat\":0.4,\"cut\":\"Ideal\"}}";
            Images row = model.form(WantedVersion.BY_POLICY)
                    .orElseThrow()
                    .read(body.getBytes(StandardCharsets.UTF_8), 1, new SampleMemory(1 << 20).lease());

            PredictionResult result = (PredictionResult) model.predict(WantedVersion.BY_POLICY, row);

            assertThat(result.predictions()).singleElement().isInstanceOfSatisfying(Amount.class, amount -> {
                assertThat(amount.target()).isEqualTo("price");
                assertThat(amount.value()).isCloseTo(4000 + 1000.0 * result.logits()[0], within(1e-9));
            });

            assertThat(result.unknown()).isEmpty();

            model.swapTo(new ParameterVersion("h", 1), parameters(schema(2)));
            assertThat(model.predict(WantedVersion.BY_POLICY, row)).isInstanceOf(OtherForm.class);
        }
    }

    @Test
    void shouldNoteCategoriesThatTheModelDoesNotHave() {
        try (LiveModel model =
                new LiveModel(new NetworkClassifiers(Device.CPU), network -> ModelDescription.NONE, 1 << 20)) {
            model.swapTo(new ParameterVersion("g", 1), parameters(schema(1)));
            String body = "{\"rows\":[{\"cut\":null},{\"carat\":1},{\"cut\":\"ideal\"},"
                    + String.join(",", Collections.nCopies(12, "{\"cut\":\"Fine\"}"))
                    + "]}";
            Images rows = model.form(WantedVersion.BY_POLICY)
                    .orElseThrow()
                    .read(body.getBytes(StandardCharsets.UTF_8), 100, new SampleMemory(1 << 20).lease());

            PredictionResult result = (PredictionResult) model.predict(WantedVersion.BY_POLICY, rows);

            assertThat(result.predictions()).hasSize(15);
            assertThat(result.unknown())
                    .hasSize(10)
                    .startsWith(new UnknownCategory(2, "cut", "ideal", 3, List.of("Fair", "Good", "Ideal")));
        }
    }

    private static RowSchema stated(String text) {
        return StatedRows.in(Map.of("table", text)).orElseThrow();
    }

    @Test
    void shouldKeepTheLastSchemaOnly() {
        String text = TableJson.write(schema(1));

        assertThat(stated(text)).isEqualTo(schema(1)).isSameAs(stated(text));
        assertThat(stated(TableJson.write(schema(2)))).isEqualTo(schema(2));
    }
}
