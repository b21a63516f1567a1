package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhiskAuthTest {

    @Test
    void shouldShowItselfInTheHeaderOnly() {
        WhiskAuth auth = WhiskAuth.parse("Aladdin:open-sesame\n");

        assertThat(auth.header()).isEqualTo("Basic QWxhZGRpbjpvcGVuLXNlc2FtZQ==");
        assertThat(auth).hasToString("WhiskAuth[hidden]");
    }

    @Test
    void shouldBeHiddenInTextThatAServerSendsBack() {
        WhiskAuth auth = WhiskAuth.parse("Aladdin:open-sesame");

        assertThat(auth.hideIn("a Basic QWxhZGRpbjpvcGVuLXNlc2FtZQ== b Aladdin:open-sesame c open-sesame d"))
                .isEqualTo("a Basic [hidden] b [hidden] c [hidden] d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "uuid", "uuid:", ":key", "uuid:a b", "uuid:k\u00e9y", "uuid:key\r\nX-Evil: 1"})
    void shouldRefuseAnInvalidKeyWithoutShowingIt(String text) {
        assertThatThrownBy(() -> WhiskAuth.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the key of OpenWhisk must be like uuid:key, as 'wsk property get --auth' shows it;"
                                + " the value has %d characters and %s",
                        text.length(), text.contains(":") ? "a colon" : "no colon");
    }
}
