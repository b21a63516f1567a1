package org.fleetgrad.evaluator.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.onnx.form.RowForm;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows by their columns, and series in their units: what training encodes, the nodes of a model encode likewise. */
class TableExportTest {

    private static final double MOST = 1e-5;

    private static final List<TableColumn> COLUMNS = List.of(
            new NumberColumn("price", 250_000, 12_345.678, false),
            new CategoryColumn("town", words(20)),
            new DateColumn("sold", true, 2001.25, 7.5, true),
            new NumberColumn("rooms", 3.5, 1.25, true),
            new CategoryColumn("kind", List.of("flat", "house")),
            new DateColumn("built", false, 1980, 20, false));

    private static final TableSchema NUMBER = new TableSchema(COLUMNS, new NumberTarget("rent", 1_234_567, 89.5));

    private static final TableSchema CLASSES = new TableSchema(COLUMNS, new ClassTarget("sale", List.of("no", "yes")));

    @TempDir
    private Path folder;

    private static List<String> words(int count) {
        return IntStream.range(0, count).mapToObj("town %02d"::formatted).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tabular", "tabular-resnet"})
    void shouldEncodeColumnsAsTrainingDoes(String network) throws IOException {
        for (TableSchema schema : List.of(NUMBER, CLASSES)) {
            VerifiedExport export = export(network, schema);

            Comparison found = export.write(folder.resolve("t.onnx"), export.random());

            assertThat(found.samples()).isEqualTo(100);
            assertThat(found.relative()).as("%s", found).isLessThan(MOST);
        }
    }

    @Test
    void shouldTakeAColumnEachAndAnswerInTheTargetsUnits() {
        VerifiedExport export = export("tabular", NUMBER);

        assertThat(export.export().model().inputs())
                .extracting(input -> input.name() + " " + input.type() + input.shape())
                .containsExactly(
                        "price FLOAT64[samples]",
                        "town TEXT[samples]",
                        "sold INT64[samples]",
                        "rooms FLOAT64[samples]",
                        "kind TEXT[samples]",
                        "built INT64[samples]");
        assertThat(export.export().model().outputs())
                .extracting(output -> output.name() + " " + output.type() + output.shape())
                .containsExactly("prediction FLOAT64[samples]");
    }

    /** The least years, leap days, ends of centuries, missing values and words that nobody knows. */
    @Test
    void shouldDecodeWhatIsEncoded() throws IOException {
        List<List<String>> rows = List.of(
                List.of("1e6", "town 00", "2000-02-29 23:59", "", "flat", "1900-03-01"),
                List.of("-3", "town 19", "1969-12-31 00:01", "4", "", "2100-02-28"),
                List.of("250000", "", "", "2", "house", ""),
                List.of("0", "elsewhere", "0001-01-01 12:00", "7", "castle", "2400-12-31"));
        float[] encoded = new float[rows.size() * NUMBER.width()];
        int[] places = NUMBER.places();
        for (int row = 0; row < rows.size(); row++) {
            for (int i = 0; i < places.length; i++) {
                COLUMNS.get(i).encode(rows.get(row).get(i), encoded, row * NUMBER.width() + places[i]);
            }
        }
        ComparedSamples samples = new ComparedSamples(
                "",
                rows.size(),
                (index, inputs, targets, place) -> System.arraycopy(
                        encoded, index * NUMBER.width(), inputs, place * NUMBER.width(), NUMBER.width()));

        Comparison found = export("tabular", NUMBER).write(folder.resolve("t.onnx"), samples);

        assertThat(found.relative()).isLessThan(MOST);
        List<Object> values = new RowForm(NUMBER).values(encoded, rows.size());
        double[] rooms = (double[]) values.get(3);
        assertThat(rooms[0]).isNaN();
        assertThat(rooms[3]).isCloseTo(7, within(1e-6));
        assertThat((String[]) values.get(1)).containsExactly("town 00", "town 19", "", "");
        assertThat(((long[]) values.get(2))[2]).isEqualTo(Long.MIN_VALUE);
        assertThat(((long[]) values.get(5))[2]).isEqualTo(Long.MIN_VALUE);
    }

    /** A mean that is large beside the deviations would be lost in float32. */
    @Test
    void shouldStandardizeSeriesInFloat64() throws IOException {
        SeriesSchema schema = new SeriesSchema(
                30, List.of(new Channel(101_325_000, 0.5), new Channel(-3, 2)), new NumberTarget("level", 5, 0.25));
        VerifiedExport export = export("series?kind=lstm&hidden=8", schema);

        Comparison found = export.write(folder.resolve("s.onnx"), export.random());

        assertThat(found.relative()).isLessThan(MOST);
    }

    private static VerifiedExport export(String network, RowSchema schema) {
        NetworkDefinition definition = Networks.named(network, schema.task());
        Map<String, String> metadata = new HashMap<>(schema.metadata());
        metadata.putAll(definition.spec().metadata());
        return VerifiedExport.of(
                TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(3), metadata));
    }
}
