package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerAddressTest {

    /** 203.0.113.0/24 is reserved for documentation: no machine has such an address. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1            | is a loopback address, which in a container means the container itself",
                "localhost            | is a loopback address, which in a container means the container itself",
                "0.0.0.0              | is not an address that a container can connect to",
                "203.0.113.7          | is not an address of this machine",
                "no-such-host.invalid | is not a known host"
            })
    void shouldRefuseWhatNoContainerReachesAndSayWhatToPass(String address, String why) {
        RunFailedException refused =
                catchThrowableOfType(RunFailedException.class, () -> ServerAddress.require(address));

        assertThat(refused)
                .hasMessageStartingWith(
                        "--server-address %s %s: pass one that OpenWhisk's containers can reach", address, why);
        assertThat(refused.isInput()).isTrue();
    }
}
