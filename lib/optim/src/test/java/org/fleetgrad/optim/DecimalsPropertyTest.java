package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DecimalsPropertyTest {

    @Example
    void shouldTakeFloatForDecimalItWasWrittenAs() {
        assertThat(Decimals.written(0.999f)).isEqualTo(0.999);
        assertThat(Decimals.written(1e-8f)).isEqualTo(1e-8);
        assertThat(Decimals.written(0)).isZero();
        assertThat((double) 0.999f).isNotEqualTo(0.999);
    }

    @Property
    void shouldFindEveryDecimalOfSixDigits(
            @ForAll @IntRange(min = -999_999, max = 999_999) int digits,
            @ForAll @IntRange(min = -30, max = 30) int exponent) {
        String decimal = digits + "e" + exponent;
        assertThat(Decimals.written(Float.parseFloat(decimal))).isEqualTo(Double.parseDouble(decimal));
    }

    @Property
    void shouldStayWithinFloat(@ForAll float value) {
        assertThat((float) Decimals.written(value)).isEqualTo(value);
    }
}
