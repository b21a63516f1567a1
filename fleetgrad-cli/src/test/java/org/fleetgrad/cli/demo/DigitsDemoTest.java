package org.fleetgrad.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DigitsDemoTest {

    @Test
    void shouldHaveTheSameScheduleInSamplesForAnyNumberOfDigits() {
        assertThat(DigitsDemo.options(20_000, List.of("--seed", "7")))
                .containsExactly(
                        "--learning-rate=0.03",
                        "--warmup=0.150000",
                        "--learning-rate-schedule=cosine:total=2.000000,minimum=0.003",
                        "--seed",
                        "7");
        assertThat(DigitsDemo.options(1000, List.of()))
                .contains("--warmup=3.000000", "--learning-rate-schedule=cosine:total=40.000000,minimum=0.003");
    }
}
