package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class WhiskPlaceTest {

    @Test
    void shouldWarnOfKeysOnTheBridgeOfDocker() {
        assertThat(WhiskPlace.warnings(URI.create("http://172.17.0.1:3233/api/v1"), "172.17.0.1"))
                .hasSize(2)
                .allSatisfy(warning -> assertThat(warning)
                        .startsWith("warning: the key")
                        .contains("in the clear to http://172.17.0.1"));
    }

    /** A tunnel or TLS to the controller protects its key; the workers still reach the run's server without. */
    @Test
    void shouldWarnOfTheRunsKeysAloneIfTheControllerIsProtected() {
        for (String controller : new String[] {"https://whisk.example/api/v1", "http://127.0.0.1:3233/api/v1"}) {
            assertThat(WhiskPlace.warnings(URI.create(controller), "fd00::1"))
                    .singleElement()
                    .asString()
                    .contains("the keys of this run, which end with it, travel in the clear to http://[fd00::1]");
        }
    }
}
