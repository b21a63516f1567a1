package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.Split;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A column that is the weight of a row in the loss. */
class RowWeightTest {

    @TempDir
    private Path folder;

    private TableDataset read(String lines, String weight) throws IOException {
        Path file = TestTables.write(folder, "a.csv", lines);
        return TableReading.read(
                file,
                "a",
                TableOptions.of(List.of("y"), List.of(), List.of()).weighing(Optional.of(weight)),
                OptionalDouble.empty(),
                Preparation.USUAL);
    }

    /** The weight of a row is ten times its target. */
    private static String rows(int count) {
        StringBuilder lines = new StringBuilder("w,x,y");
        for (int i = 1; i <= count; i++) {
            lines.append(";%d,%d,%d".formatted(10 * i, i * i % 7, i));
        }
        return lines.toString();
    }

    private static double inUnits(TableSchema schema, float target) {
        return ((TableTarget.NumberTarget) schema.target()).inUnits(target);
    }

    @Test
    void shouldBeNoInputAndStayWithItsRow() throws IOException {
        TableDataset dataset = read(rows(40), "w");
        TableSchema schema = dataset.schema();

        assertThat(schema.weight()).contains("w");
        assertThat(schema.columns()).extracting(TableColumn::name).containsExactly("x");
        for (TableSamples part : List.of((TableSamples) dataset.train(), dataset.test())) {
            assertThat(part.width()).isEqualTo(1);
            for (int i = 0; i < part.count(); i++) {
                assertThat(part.weights()[i]).isEqualTo((float) (10 * Math.round(inUnits(schema, part.targets()[i]))));
            }
        }
        assertThat(dataset.notes())
                .anySatisfy(line -> assertThat(line).startsWith("w ").endsWith("the weight of a row in the loss"));
    }

    @Test
    void shouldTravelInShards() throws IOException {
        TableDataset dataset = read(rows(40), "w");
        TableSamples train = (TableSamples) dataset.train();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Shard shard = Shard.of("a", Split.TRAIN, dataset.schema(), new SampleRange(5, 10, 36), train.slice(5, 15));
        ShardArchive.write(shard, out);

        Shard read = ShardArchive.read(new ByteArrayInputStream(out.toByteArray()), ShardLimits.DEFAULT);

        assertThat(read.description()).isEqualTo(shard.description());
        assertThat(read.lossWeights(new int[] {9, 0})).containsExactly(train.weights()[14], train.weights()[5]);
    }

    /** Those of before have neither the member of the schema nor the tensor. */
    @Test
    void shouldReadShardsWithoutWeights() throws IOException {
        TableDataset dataset = TestTables.read(TestTables.write(folder, "b.csv", rows(40)), "y");
        TableSchema schema = dataset.schema();
        assertThat(TableJson.write(schema)).doesNotContain("weight");
        assertThat(TableJson.parse(TableJson.write(schema)).weight()).isEmpty();
        Shard shard = Shard.of("b", Split.TRAIN, schema, new SampleRange(0, 36, 36), dataset.train());
        assertThat(shard.lossWeights(new int[] {1, 2})).isEmpty();
        assertThatThrownBy(() -> new TableSamples(new float[2], 1, new float[2], 1, new float[] {1, 2})
                        .requireFit(new TableSchema(
                                List.of(new NumberColumn("x", 0, 1, false)), new TableTarget.NumberTarget("y", 0, 1))))
                .hasMessage("the description states rows without weights, they have 2");
        assertThatThrownBy(() -> new TableSamples(new float[2], 1, new float[2], 1, new float[] {1, -2})
                        .requireFit(new TableSchema(
                                List.of(new NumberColumn("x", 0, 1, false)),
                                new TableTarget.NumberTarget("y", 0, 1),
                                Optional.of("w"))))
                .hasMessage("the weight of row 1 is -2.0; it must be 0, or from 1e-9 to 1e9");
    }

    /** Rows of a large table lie on the disk until they are shards. */
    @Test
    void shouldStayWithItsRowOnTheDisk() throws IOException {
        int count = 500;
        RowStore.InMemory memory = new RowStore.InMemory(count, 3, 1);
        ScatteredRows disk = new ScatteredRows(folder, count, 3, 1, 1000);
        for (int place : SplitMix64.of(1, 1).permutation(count)) {
            float[] row = {place, -place, 10f * place};
            memory.put(place, row, new float[] {place + 0.5f});
            disk.put(place, row, new float[] {place + 0.5f});
        }
        TableSamples expected = memory.samples("a").weighted().slice(20, 333);

        TableSamples stored = disk.samples("a").weighted().slice(20, 333);

        assertThat(stored.width()).isEqualTo(2);
        assertThat(stored.values()).isEqualTo(expected.values()).startsWith(20, -20, 21, -21);
        assertThat(stored.weights()).isEqualTo(expected.weights()).startsWith(200, 210);
        assertThat(stored.targets()).isEqualTo(expected.targets());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "w,x,y;1,2,3;-1,3,4;2,5,6|line 3: the weight 'w' of a row must be 0, or from 1e-9 to 1e9; it is '-1'",
                "w,x,y;1,2,3;NaN,3,4;2,5,6|line 3: the weight 'w' of a row must be 0, or from 1e-9 to 1e9; it is 'NaN'",
                "w,x,y;1,2,3;,3,4;2,5,6|line 3: the weight 'w' of a row must be 0, or from 1e-9 to 1e9; it is ''",
                "w,x,y;1,2,3;much,3,4;2,5,6|line 3: the weight 'w' of a row must be 0, or from 1e-9 to 1e9; it is 'much'",
                "w,x,y;1,2,3;1e10,3,4;2,5,6|it is '1e10'",
                "w,x,y;0,2,3;0,3,4;0,5,6|the weight 'w' is 0 in every row, so none would be trained on",
                "v,x,y;1,2,3;1,3,4;2,5,6|there is no weight 'w'; the 3 columns are v, x, y"
            })
    void shouldRefuseAWeightThatIsNone(String lines, String message) {
        assertThatThrownBy(() -> read(lines, "w"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a.csv")
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAColumnThatIsSomethingElseToo() {
        TableOptions table = TableOptions.of(List.of("y"), List.of("w:number"), List.of());

        assertThatThrownBy(() -> table.weighing(Optional.of("w")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the weight of rows 'w' is the target, or named by --column or --drop, too; a column is one of them");
        assertThatThrownBy(() -> table.weighing(Optional.of("y")))
                .hasMessageStartingWith("the weight of rows 'y' is the target");
        assertThatThrownBy(() -> TableOptions.NONE.weighing(Optional.of("w")))
                .hasMessage("a weight of rows (--weight w) is a column of a table, which needs --target COLUMN");
    }

    @Test
    void shouldSayThatARowToPredictHasNoWeight() throws IOException {
        RowEncoder encoder = new RowEncoder(read(rows(40), "w").schema());

        assertThatThrownBy(() -> encoder.column("w"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no column 'w' to predict from, it is the weight of a row; the 1 columns are x");
    }
}
