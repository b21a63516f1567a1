package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableReadingTest {

    private static final float TOLERANCE = 1e-6f;

    @TempDir
    private Path folder;

    private static void assertRow(float[] row, double... expected) {
        assertThat(row).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(row[i]).as("value %d", i).isCloseTo((float) expected[i], within(TOLERANCE));
        }
    }

    /** The numbers are computed by hand; 2020-01-06 is a Monday, 2022-04-02 a Saturday, 2024-07-07 a Sunday. */
    @Test
    void shouldEncodeNumbersDatesAndCategories() throws IOException {
        TestTables.write(
                folder, "a.csv", "n,day,cut,y;2,2020-01-06,Good,10;4,2022-04-02,Ideal,20;NA,2024-07-07,Good,30");
        TestTables.write(folder, "test.csv", "n,day,cut,y;3,,Bad,20");

        TableDataset dataset = TestTables.read(folder, "y");

        double far = Math.sqrt(1.5);
        List<float[]> rows = TestTables.sorted(TestTables.train(dataset));
        assertRow(rows.get(0), -1, 0, -far, 0, 1, 0, 1, 1, 0, -far);
        assertRow(rows.get(1), 1, 0, 0, 1, 0, -0.9749279, -0.2225209, 0, 1, 0);
        assertRow(rows.get(2), 0, 1, far, 0, -1, -0.7818315, 0.6234898, 1, 0, far);
        assertRow(TestTables.sorted(dataset.test()).get(0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(dataset.schema().columns())
                .containsExactly(
                        new NumberColumn("n", 3, 1, true),
                        new DateColumn("day", false, 2022, Math.sqrt(8.0 / 3), false),
                        new CategoryColumn("cut", List.of("Good", "Ideal")));
        assertThat(dataset.schema().target()).isEqualTo(new NumberTarget("y", 20, Math.sqrt(200.0 / 3)));
        assertThat(((NumberTarget) dataset.schema().target()).inUnits(far)).isCloseTo(30, within(1e-9));
    }

    @Test
    void shouldEncodeTheTimeOfTheDay() {
        float[] row = new float[8];

        new DateColumn("t", true, 2024, 2, true).encode("2026-10-05T18:00:59", row, 0);

        assertRow(row, 1, -1, 0, 0, 1, -1, 0, 0);
        new DateColumn("t", true, 2024, 2, true).encode("null", row, 0);
        assertRow(row, 0, 0, 0, 0, 0, 0, 0, 1);
    }

    /** Nine values: an index after all plain values, 0 for what is missing or unknown. */
    @Test
    void shouldPutIndicesBehindPlainValues() throws IOException {
        StringBuilder lines = new StringBuilder("city,n,y");
        for (int i = 0; i < 9; i++) {
            lines.append(";%c,%d,%d".formatted('i' - i, i % 2, i * i));
        }
        TestTables.write(folder, "a.csv", lines.append(";?,1,99").toString());
        TestTables.write(folder, "val.csv", "city,n,y;z,0,1;b,1,0");

        TableDataset dataset = TestTables.read(folder, "y");

        List<float[]> rows = TestTables.sorted(TestTables.train(dataset));
        assertThat(rows).extracting(row -> row[1]).containsExactly(9f, 8f, 7f, 6f, 5f, 4f, 3f, 2f, 1f, 0f);
        assertThat(TestTables.sorted(dataset.test())).extracting(row -> row[1]).containsExactly(2f, 0f);
        assertThat(dataset.schema().numbers()).isEqualTo(1);
        assertThat(dataset.schema().categories()).containsExactly(10);
        assertThat(dataset.schema().width()).isEqualTo(2);
    }

    /** 10,500 values, of which 500 occur twice. */
    @Test
    void shouldTakeRareValuesOfManyForUnknown() throws IOException {
        StringBuilder lines = new StringBuilder("x,y");
        for (int i = 0; i < 11_000; i++) {
            lines.append(";n%d,%d".formatted(i % 10_500, i));
        }
        TestTables.write(folder, "a.csv", lines.toString());
        TestTables.write(folder, "test.csv", "x,y;n499,1;n500,2");

        TableDataset dataset = TestTables.read(folder, "y", "x:category");

        assertThat(dataset.schema().categories()).containsExactly(501);
        assertThat(TestTables.sorted(dataset.test())).extracting(row -> row[0]).containsExactly(445f, 0f);
    }

    @Test
    void shouldPredictClasses() throws IOException {
        StringBuilder lines = new StringBuilder("x,kind");
        for (int i = 0; i < 60; i++) {
            lines.append(";%d,%s".formatted(i * i % 7, i < 40 ? "b" : "a"));
        }
        TableDataset dataset = TestTables.read(TestTables.write(folder, "a.csv", lines.toString()), "kind");

        assertThat(dataset.schema().target()).isEqualTo(new ClassTarget("kind", List.of("a", "b")));
        assertThat(dataset.train().count()).isEqualTo(54);
        assertThat(TestTables.sorted(dataset.test())).extracting(row -> row[1]).containsExactly(0f, 0f, 1f, 1f, 1f, 1f);
        assertThat(TestTables.train(dataset).targets()[0]
                        + TestTables.train(dataset).targets()[1]
                        + TestTables.train(dataset).targets()[2])
                .as("the classes are mixed")
                .isBetween(1f, 3f);
        assertThat(TestTables.train(TestTables.read(folder.resolve("a.csv"), "kind"))
                        .values())
                .isEqualTo(TestTables.train(dataset).values());
    }

    @Test
    void shouldHoldOutTheWantedShareOfEachClass() throws IOException {
        StringBuilder lines = new StringBuilder("x,kind");
        for (int i = 0; i < 60; i++) {
            lines.append(";%d,%s".formatted(i * i % 7, i < 40 ? "b" : "a"));
        }
        Path file = TestTables.write(folder, "a.csv", lines.toString());

        TableDataset dataset = TestTables.readHoldingOut(file, "kind", 0.25);

        assertThat(dataset.train().count()).isEqualTo(45);
        assertThat(TestTables.sorted(dataset.test()))
                .extracting(row -> row[1])
                .containsExactly(0f, 0f, 0f, 0f, 0f, 1f, 1f, 1f, 1f, 1f, 1f, 1f, 1f, 1f, 1f);
        Path test = TestTables.write(folder, "test.csv", "x,kind;1,a");
        assertThatThrownBy(() -> TestTables.readHoldingOut(folder, "kind", 0.25))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s: %s is held out, so no rows of other files are: leave out --hold-out, or move %s away",
                        folder, test, test);
    }

    @Test
    void shouldTakeNoAndYesForClassesAndOtherNumbersForNumbers() throws IOException {
        Path file = TestTables.write(folder, "a.csv", "x,y,z;3,0,0;4,1,0;5,1.0,2;3,0,0;9,0,2");

        assertThat(TestTables.read(file, "y").schema().target()).isEqualTo(new ClassTarget("y", List.of("0", "1")));
        assertThat(TestTables.read(file, "z").schema().target()).isInstanceOf(NumberTarget.class);
        assertThat(TestTables.read(file, "y", "y:number").schema().target()).isInstanceOf(NumberTarget.class);
        assertThat(TestTables.read(file, "z", "z:category").schema().target())
                .isEqualTo(new ClassTarget("z", List.of("0", "2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "-Infinity", "+INF", "1e400", "-1.5E+999"})
    void shouldRefuseAnInfiniteTargetAmongNumbers(String infinite) throws IOException {
        Path file = TestTables.write(folder, "a.csv", "x,y;3,10;4,10" + (";5," + infinite + ";6,10").repeat(20));

        assertThatThrownBy(() -> TestTables.read(file, "y"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContainingAll(
                        "line 4", "the target 'y' is '" + infinite + "', which is no finite number", "'y:category'");
        assertThat(TestTables.read(file, "y", "y:category").schema().target()).isInstanceOf(ClassTarget.class);
    }

    /** Infantry and infinity are words where the others are words. */
    @Test
    void shouldTakeAnInfiniteNumberForAWordAmongWords() throws IOException {
        Path file = TestTables.write(folder, "a.csv", "x,y;3,sup;4,inf;5,sup;6,inf");

        assertThat(TestTables.read(file, "y").schema().target()).isEqualTo(new ClassTarget("y", List.of("inf", "sup")));
    }

    @Test
    void shouldLeaveOutColumnsThatSayNothing() throws IOException {
        StringBuilder lines = new StringBuilder(",row,name,one,void,zip,x,y");
        for (int i = 0; i < 1200; i++) {
            lines.append(";%d,%d,n%d,1,,%d,%d,%d".formatted(i + 7, i + 1, i, i % 5, i % 11, i % 13));
        }
        Path file = TestTables.write(folder, "a.csv", lines.toString());

        TableDataset dataset = TestTables.read(file, "y", "zip:category");

        assertThat(dataset.schema().columns()).extracting(TableColumn::name).containsExactly("zip", "x");
        assertThat(dataset.notes())
                .hasSize(9)
                .startsWith("column     kind      values  missing  becomes")
                .contains("(no name)  drop       1,200        0  left out: has no name")
                .contains(
                        "row        drop       1,200        0  left out: counts the rows; --column 'row:number' keeps it")
                .contains(
                        "name       drop       1,200        0  left out: looks like names or ids; --column 'name:category' keeps it")
                .contains("one        drop           1        0  left out: has one value")
                .contains("void       drop           0    1,200  left out: has no value")
                .contains("zip        category       5        0  5 values, one of them 1")
                .anyMatch(line -> line.startsWith("x          number        11        0  1 value: mean "))
                .anyMatch(line ->
                        line.startsWith("y          number                  0  the target, a number: mean 5.9"));
        assertThat(TestTables.read(file, "y", "name:category", "row:number", "x:drop", "one:number")
                        .schema()
                        .columns())
                .extracting(TableColumn::name)
                .containsExactly("row", "name", "one", "zip");
    }

    @Test
    void shouldReadAFolderOfFilesAsOneTable() throws IOException {
        TestTables.write(folder, "b.csv", "x,y;1,5;9,6");
        TestTables.writePacked(folder, "a.tsv.gz", "x\ty;4\t7;4\t8");
        TestTables.write(folder, "README.txt", "of the data");

        TableDataset dataset = TestTables.read(folder, "y");

        assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(4);
        TestTables.write(folder, "c.csv", "x,z;1,5");
        assertThatThrownBy(() -> TestTables.read(folder, "y"))
                .hasMessageContaining("c.csv: line 1 names 2 columns")
                .hasMessageEndingWith(
                        "has 2, and files of one table have the same; first different: column 2, 'z' and 'y'");
        TestTables.write(folder, "c.csv", "x,y;1,5");
        TestTables.write(folder, "b.tsv", "x\ty;1\t5");
        assertThatThrownBy(() -> TestTables.read(folder, "y")).hasMessageContaining("the same rows may be in ");
    }

    private static float[] encoded(TableDataset dataset, Map<String, ?> values) {
        float[] row = new float[dataset.schema().width()];
        RowEncoder encoder = new RowEncoder(dataset.schema());
        encoder.begin(row, 0);
        values.forEach((column, value) -> encoder.put(column, value, row, 0, (words, unknown) -> {}));
        return row;
    }

    @Test
    void shouldEncodeARowByTheNamesOfItsColumns() throws IOException {
        TestTables.write(folder, "a.csv", "carat,cut,size,y;1,Good,5,2;3,Ideal,6,3;2,Good,,9");
        TestTables.write(folder, "test.csv", "carat,cut,size,y;3,Bad,5,20");
        TableDataset dataset = TestTables.read(folder, "y", "size:category");
        Map<String, Object> row = new HashMap<>(Map.of("carat", 3.0, "cut", "Ideal", "size", 6));

        assertRow(encoded(dataset, row), Math.sqrt(1.5), 0, 1, 0, 1);
        row.put("size", null);
        row.put("cut", "Awful");
        assertRow(encoded(dataset, row), Math.sqrt(1.5), 0, 0, 0, 0);
        assertThatThrownBy(() -> encoded(dataset, Map.of("karat", 3)))
                .hasMessage("there is no column 'karat'; the 3 columns are carat, cut, size");
        assertThatThrownBy(() -> encoded(dataset, Map.of("y", 3)))
                .hasMessageStartingWith("there is no column 'y' to predict from, it is the target; the 3 columns");
        assertThatThrownBy(() -> encoded(dataset, Map.of("carat", "much")))
                .hasMessage("the column 'carat' takes numbers; it is 'much'");
        assertThatThrownBy(() -> encoded(dataset, Map.of("carat", List.of(3))))
                .hasMessage("the column 'carat' takes a text, a number or null; it is [3]");
        assertThatThrownBy(() -> encoded(dataset, Map.of("carat", Double.POSITIVE_INFINITY)))
                .hasMessageContaining("it is Infinity");
    }

    @Test
    void shouldReadDiamonds() throws IOException {
        TableDataset dataset = TestTables.read(SharedData.require("data/tabular/diamonds.csv.gz"), "price");

        assertThat(dataset.name()).isEqualTo("diamonds");
        assertThat(dataset.train().count()).isEqualTo(53_940 - 5_394);
        assertThat(dataset.test().count()).isEqualTo(5_394);
        assertThat(dataset.schema().columns())
                .extracting(TableColumn::name)
                .containsExactly("carat", "cut", "color", "clarity", "depth", "table", "x", "y", "z");
        assertThat(dataset.schema().columns())
                .extracting(TableColumn::width)
                .containsExactly(1, 5, 7, 8, 1, 1, 1, 1, 1);
        assertThat(((CategoryColumn) dataset.schema().columns().get(1)).values())
                .containsExactly("Fair", "Good", "Ideal", "Premium", "Very Good");
        assertThat(((NumberTarget) dataset.schema().target()).mean()).isBetween(3900.0, 3960.0);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < dataset.train().count(); i++) {
            float carat =
                    TestTables.train(dataset).values()[i * dataset.schema().width()];
            sum += carat;
            squares += (double) carat * carat;
        }
        assertThat(sum / dataset.train().count()).isCloseTo(0, within(1e-5));
        assertThat(squares / dataset.train().count()).isCloseTo(1, within(1e-5));
        assertThat(dataset.notes()).anyMatch(line -> line.contains("counts the rows, and has no name"));
    }
}
