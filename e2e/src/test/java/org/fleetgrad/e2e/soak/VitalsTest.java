package org.fleetgrad.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.function.LongToDoubleFunction;
import org.fleetgrad.e2e.soak.Vitals.Sample;
import org.junit.jupiter.api.Test;

class VitalsTest {

    private static Vitals of(LongToDoubleFunction heapMebibytes, LongToDoubleFunction descriptors) {
        Vitals vitals = new Vitals(Duration.ofMinutes(60));
        for (long minute = 0; minute < 60; minute++) {
            vitals.add(new Sample(
                    Duration.ofMinutes(minute).toMillis(),
                    heapMebibytes.applyAsDouble(minute) * (1 << 20),
                    descriptors.applyAsDouble(minute),
                    40));
        }
        return vitals;
    }

    @Test
    void shouldFindTheSlopeOfAHeapAfterItsFirstQuarter() {
        Vitals vitals = of(minute -> minute < 15 ? 20 * minute : 300 + minute / 10.0, minute -> 100);

        assertThat(vitals.heapSlope()).isCloseTo(6, within(1e-6));
    }

    @Test
    void shouldCallFlatWhatGoesUpAndDown() {
        Vitals vitals = of(minute -> 30, minute -> 200 + minute % 7);

        assertThat(vitals.descriptors()).isEqualTo("flat");
        assertThat(vitals.threads()).isEqualTo("flat");
        assertThat(vitals.heapSlope()).isZero();
    }

    @Test
    void shouldReportALeakWithItsNumbers() {
        assertThat(of(minute -> 30, minute -> 100 + 2 * minute).descriptors()).isEqualTo("144->204");
    }

    @Test
    void shouldNotCallFlatWhatNobodyMeasured() {
        assertThat(new Vitals(Duration.ofMinutes(1)).descriptors()).isEqualTo("NaN->NaN");
    }
}
