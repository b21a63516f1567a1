package org.fleetgrad.ps;

import org.fleetgrad.testing.ManualClock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Gives a service a clock that its test moves. It has no stereotype: component scanning would add it to every test. */
public class ManualClockBean {

    @Bean
    @Primary
    ManualClock manualClock() {
        return new ManualClock();
    }
}
