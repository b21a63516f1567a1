package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class FieldValueTest {

    @Property
    void shouldReadDecimalNumbersAsTheJdkDoes(
            @ForAll double number, @ForAll long digits, @ForAll @IntRange(max = 25) int scale) {
        String plain = Long.toString(digits);
        int point = Math.max(plain.startsWith("-") ? 1 : 0, plain.length() - scale);
        String decimal = plain.substring(0, point) + "." + plain.substring(point) + "0";

        assertThat(FieldValue.number(decimal)).isEqualTo(Double.parseDouble(decimal));
        if (Double.isFinite(number)) {
            assertThat(FieldValue.number(Double.toString(number))).isEqualTo(number);
        }
    }

    @Example
    void shouldReadNothingElse() {
        assertThat(new String[] {
                    "", "+", ".", "1f", "0x1p3", "1e", "1e+", "1.2.3", "Infinity", "NaN", "1e999", "1,5", "١"
                })
                .allMatch(text -> Double.isNaN(FieldValue.number(text)));
        assertThat(FieldValue.number("1.e-2")).isEqualTo(0.01);
        assertThat(FieldValue.number("+.5")).isEqualTo(0.5);
        assertThat(new String[] {"", "NA", "N/A", "NaN", "null", "?"}).allMatch(FieldValue::isMissing);
        assertThat(new String[] {"na", "0", "NULL", "-"}).noneMatch(FieldValue::isMissing);
    }

    @Example
    void shouldCountDifferentValuesInBoundedMemory() {
        DistinctCount few = new DistinctCount(1000);
        DistinctCount many = new DistinctCount(1000);

        LongStream.range(0, 5000).forEach(i -> few.add(DistinctCount.hash("v" + i % 1000)));
        LongStream.range(0, 500_000).forEach(i -> many.add(DistinctCount.hash("v" + i % 100_000)));

        assertThat(few.count()).isEqualTo(1000);
        assertThat(few.isExact()).isTrue();
        assertThat(many.isExact()).isFalse();
        assertThat(many.count()).isBetween(85_000L, 115_000L);
    }
}
