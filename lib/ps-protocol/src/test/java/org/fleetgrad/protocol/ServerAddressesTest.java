package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressesTest {

    @Test
    void shouldReadAddressesInTheirOrder() {
        ServerAddresses addresses = ServerAddresses.parse("apihost", "http://ps-1:1, ps-0:1 ,https://gateway/fleet");

        assertThat(addresses.uris())
                .containsExactly(
                        URI.create("http://ps-1:1"), URI.create("http://ps-0:1"), URI.create("https://gateway/fleet"));
        assertThat(addresses.lead()).isEqualTo(URI.create("http://ps-1:1"));
        assertThat(addresses).hasToString("http://ps-1:1,http://ps-0:1,https://gateway/fleet");
        assertThat(ServerAddresses.parse("apihost", addresses.toString())).isEqualTo(addresses);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", ",a", "a,,b", "a,ftp://b", "a,b c"})
    void shouldSayWhichSettingIsWrong(String text) {
        assertThatThrownBy(() -> ServerAddresses.parse("apihost", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("apihost must be like http://host:29500; it is '%s'", badPartOf(text));
    }

    /** It would be in each log and page that says where the server is, and no client sends it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:sesame@host:29500",
                "me:sesame@host",
                "http://me:sesame@host_of_server",
                "a,http://sesame@b"
            })
    void shouldRefuseAnAddressWithAPasswordAndNotQuoteIt(String text) {
        assertThatThrownBy(() -> ServerAddresses.parse("apihost", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith("apihost must be like http://host:29500; it is '")
                .hasMessageNotContaining("sesame");
        assertThatThrownBy(() -> ServerAddresses.requestBase(URI.create("http://me:sesame@host")))
                .hasMessageNotContaining("sesame");
    }

    private static String badPartOf(String text) {
        return List.of(text.split(",", -1)).stream()
                .filter(part -> !part.equals("a") && !part.equals("b"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldRefuseASocketsPathThatNoSystemTakes() {
        URI uri = URI.create("unix:/" + "x".repeat(107));

        assertThatThrownBy(() -> ServerAddresses.requestBase(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the socket's path '%s' has 108 bytes, a system takes at most 107".formatted(uri.getPath()));
    }

    @Test
    void shouldRefuseAnAddressThatIsThereTwice() {
        assertThatThrownBy(() -> ServerAddresses.parse("--server", "a:1,http://a:1"))
                .hasMessage("--server must have each address once; it is 'a:1,http://a:1'");
    }
}
