package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClearTextKeysTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://10.1.2.3:29500",
                "http://127.0.0.1:29500",
                "http://127.8.8.8:29500",
                "http://[::1]:29500",
                "http://localhost:29500",
                "unix:///run/fleetgrad.sock"
            })
    void shouldSayNothingWhereNobodyElseReads(String address) {
        assertThat(ClearTextKeys.warning("the keys", URI.create(address))).isEmpty();
    }

    /** Docker's bridge is on this machine, and not loopback. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://172.17.0.1:3233",
                "http://10.1.2.3:29500",
                "HTTP://192.168.1.7",
                "http://[2001:db8::1]:29500"
            })
    void shouldWarnOfEveryOtherAddress(String address) {
        assertThat(ClearTextKeys.warning("the keys", URI.create(address)))
                .get()
                .asString()
                .contains("the keys travel in the clear to " + address);
    }

    @Test
    void shouldNotRepeatWhatAnAddressMayHide() {
        assertThat(ClearTextKeys.warning("the keys", URI.create("http://user:secret@10.1.2.3:29500/path?token=secret")))
                .get()
                .asString()
                .doesNotContain("secret");
    }
}
