package org.fleetgrad.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PricesTest {

    @Test
    void shouldSayNothingWithoutPrices() {
        assertThat(Prices.NONE.ofActivations(100, 10)).isNull();
        assertThat(Prices.NONE.ofMachine(100)).isNull();
        assertThat(Prices.NONE.ofRun(100.0, 10, 60)).isNull();
    }

    @Test
    void shouldAddUpWhatWasGiven() {
        Prices prices = new Prices(0.00002, 0.0000002, 0.36, "USD");

        assertThat(prices.ofActivations(1000, 50)).isCloseTo(0.02 + 0.00001, within(1e-12));
        assertThat(prices.ofMachine(100)).isCloseTo(0.01, within(1e-12));
        assertThat(prices.ofRun(1000.0, 50, 100)).isCloseTo(0.02 + 0.00001 + 0.01, within(1e-12));
        assertThat(new Prices(0.00002, null, null, "USD").ofRun(1000.0, 50, 100))
                .isCloseTo(0.02, within(1e-12));
        assertThat(new Prices(null, 0.1, null, "USD").ofActivations(1000, 5)).isCloseTo(0.5, within(1e-12));
    }

    @Test
    void shouldCountNothingForWorkersThatAreOfTheMachine() {
        assertThat(new Prices(1.0, 1.0, 3600.0, "USD").ofRun(null, 50, 100)).isCloseTo(100, within(1e-9));
        assertThat(new Prices(1.0, 1.0, null, "USD").ofRun(null, 50, 100)).isNull();
    }
}
