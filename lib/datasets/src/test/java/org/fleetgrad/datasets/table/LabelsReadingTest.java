package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.networks.Question.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several columns of a table, each of them no or yes. */
class LabelsReadingTest {

    private static final List<String> LABELS = List.of("b", "a");

    @TempDir
    private Path folder;

    /** The labels lie on both sides of the number, and are named in another order than the file has. */
    @Test
    void shouldReadEachLabelInTheOrderInWhichTheyAreNamed() throws IOException {
        Path file = TestTables.write(
                folder, "a.csv", "a,x,b;1,2,no;0,1,yes;1.0,3,YES;0,4,No;1,5,yes;0,6,no;1,7,yes;0,8,no;1,9,no;0,10,yes");

        TableDataset dataset = TestTables.readLabels(file, LABELS);

        assertThat(dataset.schema().target()).isEqualTo(LabelsTarget.of(LABELS));
        assertThat(dataset.schema().question()).isEqualTo(new Labels(2));
        assertThat(dataset.schema().columns()).extracting(TableColumn::name).containsExactly("x");
        assertThat(dataset.schema().metadata()).containsOnlyKeys("table");
        NumberColumn x = (NumberColumn) dataset.schema().columns().get(0);
        for (TableSamples part : List.of(TestTables.train(dataset), dataset.test())) {
            for (int row = 0; row < part.count(); row++) {
                int number = (int) Math.round(x.mean() + x.std() * part.values()[row]);
                assertThat(part.targets()[2 * row])
                        .isEqualTo(List.of(1, 3, 5, 7, 10).contains(number) ? 1f : 0f);
                assertThat(part.targets()[2 * row + 1])
                        .isEqualTo(List.of(2, 3, 5, 7, 9).contains(number) ? 1f : 0f);
            }
        }
        assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(10);
        assertThat(dataset.notes()).anyMatch(line -> line.matches("b +category +2 +0  a label, no or yes"));
    }

    /** Of 400 rows two have the rare label, and one of them is held out. */
    @Test
    void shouldHoldOutARareLabelToo() throws IOException {
        StringBuilder lines = new StringBuilder("a,x,b");
        for (int i = 0; i < 400; i++) {
            lines.append(";%d,%d,%d".formatted(i % 2, i * i % 397, i % 200 == 7 ? 1 : 0));
        }
        TableDataset dataset = TestTables.readLabels(TestTables.write(folder, "a.csv", lines.toString()), LABELS);

        int rare = 0;
        for (int row = 0; row < dataset.test().count(); row++) {
            rare += (int) dataset.test().targets()[2 * row];
        }
        assertThat(rare).isEqualTo(1);
        assertThat(dataset.test().count()).isBetween(38, 42);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a,x,b;0,1,1;1,2,2|line 3: the label 'b' is '2'; one of several labels is 0 or 1, no or yes, false or true; the rows before have 1",
                "a,x,b;0,1,maybe|line 2: the label 'b' is 'maybe'; one of several labels is 0 or 1, no or yes, false or true",
                "a,x,b;0,1,1;1,2,NA|line 3: the target 'b' is missing; it is 'NA', and each row needs one",
                "a,x,b;0,1,1;1,2,1|the label 'b' is yes in all 2 training rows, so there is nothing to predict; leave it out of the targets",
                "a,x,b;0,1,1;0,2,0|the label 'a' is no in all 2 training rows",
                "a,x;0,1;1,2|there is no target 'b'; the 2 columns are a, x",
                "a,b;0,1;1,0;0,1;1,0|of the 2 columns none is left to predict 'b, a' from"
            })
    void shouldRefuseWhatIsNoLabel(String lines, String message) throws IOException {
        Path file = TestTables.write(folder, "a.csv", lines);

        assertThatThrownBy(() -> TestTables.readLabels(file, LABELS))
                .isInstanceOfAny(InvalidDatasetException.class, IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseTargetsThatContradictEachOther() {
        List<String> none = List.of();
        assertThatThrownBy(() -> TableOptions.of(List.of("a", "b", "a"), none, none))
                .hasMessage("the target 'a' is named twice");
        assertThatThrownBy(() -> TableOptions.of(LABELS, none, List.of("a")))
                .hasMessage("the target 'a' must be a number or a category; it is to be dropped");
        assertThatThrownBy(() -> TableOptions.of(LABELS, List.of("b:number"), none))
                .hasMessage(
                        "the target 'b' is one of 2 labels, which are no or yes each: leave out --column 'b:number'");
        List<String> many =
                IntStream.range(0, 10_000).mapToObj(i -> "label " + i).toList();
        assertThatThrownBy(() -> TableOptions.of(many, none, none))
                .hasMessage("a table has 2 to 1,000 labels; 10,000 targets are named");
        assertThat(TableOptions.of(many.subList(0, 1000), none, none).targets()).hasSize(1000);
    }

    @Test
    void shouldRefuseSamplesThatAreNoLabels() throws IOException {
        Path file = TestTables.write(folder, "a.csv", "a,x,b;0,7,1;1,2,0;1,3,1;0,4,0");
        TableDataset dataset = TestTables.readLabels(file, LABELS);

        assertThatThrownBy(() -> new TableSamples(new float[1], 1, new float[] {0, 2}, 2).requireFit(dataset.schema()))
                .hasMessage("the target of row 0 is 2.0; it must be a whole number from 0 to 1");
        assertThatThrownBy(() -> new TableSamples(new float[1], 1, new float[1]).requireFit(dataset.schema()))
                .hasMessage("the description states 2 targets of a row, they have 1");
        assertThatThrownBy(() -> new TableSamples(new float[1], 1, new float[3], 2))
                .hasMessage("1 values are not 3 rows of 1 values with 2 targets each");
        assertThatThrownBy(() -> LabelsTarget.of(Collections.nCopies(1, "a")))
                .hasMessage("a table has 2 to 1,000 labels; 1 targets are named");
    }

    /** A shard that was written before there were labels states classes or a number. */
    @Test
    void shouldReadWhatIsStatedOfOtherTargetsAsBefore() {
        String columns =
                "{\"columns\":[{\"name\":\"x\",\"kind\":\"number\",\"mean\":1,\"std\":2,\"missing\":false}],\"target\":";

        assertThat(TableJson.parse(columns + "{\"name\":\"y\",\"kind\":\"classes\",\"classes\":[\"a\",\"b\"]}}")
                        .target())
                .isEqualTo(new TableTarget.ClassTarget("y", List.of("a", "b")));
        assertThat(TableJson.parse(columns + "{\"kind\":\"labels\",\"labels\":[\"b\",\"a\"]}}")
                        .target())
                .isEqualTo(LabelsTarget.of(LABELS));
        assertThatThrownBy(() -> TableJson.parse(columns + "{\"kind\":\"labels\",\"labels\":[\"x\",\"a\"]}}"))
                .hasMessage("the column 'x' is there twice");
        assertThatThrownBy(() -> TableJson.parse(columns + "{\"name\":\"y\",\"kind\":\"colours\"}}"))
                .hasMessage("the target must be a number, classes or labels; 'y' is 'colours'");
    }
}
