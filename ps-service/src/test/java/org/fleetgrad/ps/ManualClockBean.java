package org.fleetgrad.ps;

import org.fleetgrad.testing.ManualClock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Gives a service a clock that its test moves. */
@Configuration
public class ManualClockBean {

    @Bean
    @Primary
    ManualClock manualClock() {
        return new ManualClock();
    }
}
