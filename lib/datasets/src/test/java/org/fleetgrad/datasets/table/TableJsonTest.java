package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableJsonTest {

    private static final TableSchema SCHEMA = new TableSchema(
            List.of(
                    new NumberColumn("n", 3.5, 0.25, true),
                    new DateColumn("d", true, 2020, 1.5, false),
                    new CategoryColumn("c", List.of("x", "y"))),
            new ClassTarget("t", List.of("no", "yes")));

    private static final String JSON =
            "{\"columns\":[{\"name\":\"n\",\"kind\":\"number\",\"mean\":3.5,\"std\":0.25,\"missing\":true},"
                    + "{\"name\":\"d\",\"kind\":\"date\",\"time\":true,\"mean\":2020.0,\"std\":1.5,\"missing\":false},"
                    + "{\"name\":\"c\",\"kind\":\"category\",\"values\":[\"x\",\"y\"]}],"
                    + "\"target\":{\"name\":\"t\",\"kind\":\"classes\",\"classes\":[\"no\",\"yes\"]}}";

    /** Parameter sets of all later releases are read with it. */
    @Test
    void shouldKeepItsFormat() {
        assertThat(TableJson.write(SCHEMA)).isEqualTo(JSON);
        assertThat(TableJson.parse(JSON)).isEqualTo(SCHEMA);
        assertThat(SCHEMA.metadata()).isEqualTo(Map.of("table", JSON, "classes", "[\"no\",\"yes\"]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0.25|0|the column 'n' must have a finite mean and a positive, finite standard deviation; they are 3.5 and 0.0",
                "0.25|1e999|'columns[0].std' must be a finite number; it is ",
                "0.25|\"x\"|'columns[0].std' must be a finite number; it is \"x\"",
                "\"d\"|\"n\"|the column 'n' is there twice",
                "\"d\"|\"t\"|the column 't' is there twice",
                "\"d\"|\" \"|a column must have a name of 1 to 256 bytes",
                "\"date\"|\"drop\"|a column must be a number, a date or a category; 'd' is 'drop'",
                "\"date\"|\"time\"|a column must be a number, a date or a category; 'd' is 'time'",
                "\"x\",\"y\"|\"y\",\"x\"|the values of the column 'c' must be sorted; 'y' is before 'x'",
                "\"x\",\"y\"|\"x\",\"x\"|the values of the column 'c' must be sorted; 'x' is before 'x'",
                "\"x\",\"y\"||the column 'c' must have 1 to 65536 different values; it has 0",
                "\"x\",\"y\"|\"NA\"|value 0 of the column 'c' must have 1 to 256 characters and not say that it is missing",
                "\"no\",\"yes\"|\"yes\",\"no\"|the classes of the target 't' must be sorted",
                "\"no\",\"yes\"|\"no\"|the target 't' must have 2 classes or more; it has 1: [no]",
                "\"classes\",\"classes\"|\"odds\",\"classes\"|the target must be a number, classes or labels; 't' is 'odds'",
                "\"target\"|\"aim\"|'target' is missing; it must be an object"
            })
    void shouldRefuseWhatBreaksARule(String part, String other, String message) {
        assertThatThrownBy(() -> TableJson.parse(JSON.replace(part, other == null ? "" : other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseWhatIsTooLong() {
        List<String> values =
                IntStream.range(10_000, 70_000).mapToObj(i -> "value " + i).toList();
        TableSchema large = new TableSchema(
                List.of(new NumberColumn("n", 0, 1, false), new CategoryColumn("c", values)),
                new NumberTarget("t", 0, 1));

        assertThatThrownBy(() -> TableJson.write(large))
                .hasMessageContaining(
                        "the most is 524,288; the column with the most values is 'c' with 60,000 (--drop)");
        assertThatThrownBy(() -> TableJson.parse(" ".repeat(TableJson.MOST_BYTES) + JSON))
                .hasMessageContaining("bytes, the most is 1,048,576");
        assertThatThrownBy(() -> TableJson.parse("[".repeat(1 << 19))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseSamplesThatDoNotFit() {
        TableSchema schema = new TableSchema(
                List.of(
                        new NumberColumn("n", 0, 1, false),
                        new CategoryColumn("c", List.of("a", "b", "c", "d", "e", "f", "g", "h", "i"))),
                SCHEMA.target());

        assertThatThrownBy(() -> new TableSamples(new float[] {1, 10}, 2, new float[1]).requireFit(schema))
                .hasMessage("value 1 of row 0 is 10.0; it must be a whole number from 0 to 9");
        assertThatThrownBy(() -> new TableSamples(new float[] {1, 0.5f}, 2, new float[1]).requireFit(schema))
                .hasMessageContaining("value 1 of row 0 is 0.5");
        assertThatThrownBy(() -> new TableSamples(new float[] {Float.NaN, 1}, 2, new float[1]).requireFit(schema))
                .hasMessage("value 0 of row 0 is NaN; it must be finite");
        assertThatThrownBy(() -> new TableSamples(new float[2], 2, new float[] {2}).requireFit(schema))
                .hasMessage("the target of row 0 is 2.0; it must be a whole number from 0 to 1");
        assertThatThrownBy(() -> new TableSamples(new float[3], 3, new float[1]).requireFit(schema))
                .hasMessage("the description states rows of 2 values, they have 3");
        assertThatThrownBy(() -> new TableSamples(new float[3], 2, new float[1]))
                .hasMessage("3 values are not 1 rows of 2 values");
    }
}
