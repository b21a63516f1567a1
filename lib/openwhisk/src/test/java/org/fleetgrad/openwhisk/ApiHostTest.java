package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiHostTest {

    @ParameterizedTest
    @CsvSource({
        "openwhisk.example.com,          https://openwhisk.example.com/api/v1",
        "localhost:443,                  https://localhost:443/api/v1",
        "http://127.0.0.1:3233,          http://127.0.0.1:3233/api/v1",
        "http://127.0.0.1:3233/,         http://127.0.0.1:3233/api/v1",
        "https://host/api/v1,            https://host/api/v1",
        "https://host/api/v1/,           https://host/api/v1",
        "host/api/v1,                    https://host/api/v1",
        "https://proxy/whisk,            https://proxy/whisk/api/v1",
        "https://proxy/whisk/api/v1,     https://proxy/whisk/api/v1",
        "http://[::1]:3233,              http://[::1]:3233/api/v1",
        "' http://host ',                http://host/api/v1"
    })
    void shouldAcceptTheAddressesThatWskAccepts(String text, String base) {
        assertThat(ApiHost.parse(text)).hasToString(base);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ftp://host",
                "http://",
                "host:",
                "host:0",
                "host:65536",
                "host:port",
                "https://host?a=b",
                "https://host#a",
                "host name",
                "https://host/a b",
                "https://host//a",
                "file:///etc",
                "http://http://host"
            })
    void shouldRefuseInvalidAddresses(String text) {
        assertThatThrownBy(() -> ApiHost.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the address of OpenWhisk must be like https://host or http://host:3233; it is '%s'", text);
    }

    @Test
    void shouldNotShowAnAddressThatMayHaveAKey() {
        assertThatThrownBy(() -> ApiHost.parse("https://uuid:secret@host"))
                .hasMessage("the address of OpenWhisk must be like https://host or http://host:3233; it has an @");
    }
}
