package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"http://10.0.0.7:29700", "https://worker-1.pool:443", "http://[::1]:29700", "http://a/serve"})
    void shouldTakeAnAddress(String text) {
        assertThat(ServingAddress.parse("address", text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a:1",
                "http:",
                "http:///x",
                "ws://a:1",
                "HTTP://a:1",
                "http://a:0",
                "http://a:65536",
                "http://a#f",
                "http://a b"
            })
    void shouldNameWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> ServingAddress.parse("WORKER_SERVE_URL", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "'WORKER_SERVE_URL' must be an http or https address without user, query and fragment, such as http://10.0.0.7:29700; it is '%s'",
                        text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:sesame@a", "http://a?token=sesame", "http://me:sesame@host_of_worker"})
    void shouldNotQuoteAUserOrAQuery(String text) {
        assertThatThrownBy(() -> ServingAddress.parse("WORKER_SERVE_URL", text))
                .hasMessageContaining("without user, query and fragment")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void shouldTakeNoMoreThanTheLongest() {
        String longest = "http://" + "a".repeat(ServingAddress.MAX_LENGTH - 7);
        assertThat(ServingAddress.parse("address", longest)).hasToString(longest);
        assertThatThrownBy(() -> ServingAddress.parse("address", longest + "a"))
                .hasMessage("'address' has 201 characters, accepted are 200");
    }
}
