package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrayValuesTest {

    @TempDir
    private Path folder;

    /** Returns lines of 200 rows, of which those at {@code strays} have words in place of the target. */
    private static String targets(List<Integer> strays) {
        StringBuilder lines = new StringBuilder("x,price");
        for (int row = 0; row < 200; row++) {
            lines.append(";%d,%s".formatted(row * row % 17, strays.contains(row) ? "n.a. " + row : row + 0.5));
        }
        return lines.toString();
    }

    @Test
    void shouldRefuseATargetOfWhichAFewValuesAreNoNumbers() throws IOException {
        Path file = TestTables.write(folder, "a.csv", targets(List.of(5, 6, 70, 80, 90, 100, 199)));

        assertThatThrownBy(() -> TestTables.read(file, "price"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s: of the target 'price' 193 of 200 values are numbers, and 7 are not: a.csv, line 7, is 'n.a. 5';"
                                + " a.csv, line 8, is 'n.a. 6'; a.csv, line 72, is 'n.a. 70'; a.csv, line 82, is 'n.a. 80';"
                                + " a.csv, line 92, is 'n.a. 90'; and 2 more. Correct them or leave their rows out, or pass"
                                + " --column 'price:category' to predict each value as a class",
                        file);
        assertThatThrownBy(() -> TestTables.read(file, "price", "price:number"))
                .hasMessageContaining("a.csv: line 7: the column 'price' takes numbers; it is 'n.a. 5'");
    }

    /** The word is in the held-out file alone, or comes before the numbers: it is a stray wherever it is. */
    @Test
    void shouldRefuseAStrayWhereverItIs() throws IOException {
        TestTables.write(folder, "a.csv", targets(List.of()));
        TestTables.write(folder, "test.csv", "x,price;1,2;3,about 4");

        assertThatThrownBy(() -> TestTables.read(folder, "price"))
                .hasMessageContaining(
                        "201 of 202 values are numbers, and 1 is not: test.csv, line 3, is 'about 4'. Correct");

        TestTables.write(folder, "test.csv", "x,price;1,2;3,4");
        TestTables.write(folder, "a.csv", targets(List.of(0)));
        assertThatThrownBy(() -> TestTables.read(folder, "price"))
                .hasMessageContaining(
                        "201 of 202 values are numbers, and 1 is not: a.csv, line 2, is 'n.a. 0'. Correct");
    }

    /** Of eighteen numbers two others are a tenth; of seventeen they are more. */
    @Test
    void shouldPredictClassesIfMoreThanATenthAreWords() throws IOException {
        String words = ";1,low;2,low";

        assertThatThrownBy(() -> TestTables.read(
                        TestTables.write(folder, "a.csv", "x,y" + ";1,7;2,8;3,7".repeat(6) + words), "y"))
                .hasMessageContaining("18 of 20 values are numbers, and 2 are not");
        TableDataset mixed = TestTables.read(
                TestTables.write(folder, "a.csv", "x,y" + ";1,7;2,8;3,7".repeat(5) + ";1,7;2,8" + words), "y");
        TableDataset said = TestTables.read(
                TestTables.write(folder, "a.csv", "x,y" + ";1,7;2,8;3,7".repeat(6) + words), "y", "y:category");

        ClassTarget classes = new ClassTarget("y", List.of("7", "8", "low"));
        assertThat(mixed.schema().target()).isEqualTo(classes);
        assertThat(said.schema().target()).isEqualTo(classes);
    }

    @Test
    void shouldNoteAColumnThatIsWordsBecauseOfAFew() throws IOException {
        StringBuilder lines = new StringBuilder("x,n,word,y");
        for (int row = 0; row < 200; row++) {
            lines.append(";%d,%s,%s,%d".formatted(row % 3, row == 150 ? "12o" : row % 12, row % 2 == 0 ? "a" : 1, row));
        }
        Path file = TestTables.write(folder, "a.csv", lines.toString());

        TableDataset dataset = TestTables.read(file, "y");

        assertThat(dataset.notes())
                .hasSize(6)
                .last()
                .isEqualTo(
                        "'n' is taken for words: 199 of 200 values are numbers, and 1 is not: a.csv, line 152, is '12o'."
                                + " Correct them or leave them empty, or keep it with --column 'n:category'");
        assertThat(TestTables.read(file, "y", "n:category").notes()).hasSize(5);
    }
}
