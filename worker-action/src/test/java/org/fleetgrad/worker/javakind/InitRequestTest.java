package org.fleetgrad.worker.javakind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

class InitRequestTest {

    private static InitRequest read(String body) throws IOException {
        return InitRequest.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldWriteTheJarToAFileInWhateverOrderTheMembersCome() throws Exception {
        byte[] jar = new byte[3_000_001];
        new Random(1).nextBytes(jar);

        InitRequest request = read("""
                {"other":{"value":[1]},"value":{"env":{"A":"snow ☃","B":7,"C":null,"D":{"e":1},"F":""},"code":"%s","name":"x",\
                "binary":true,"main":"pkg.Main#go","more":[{}]},"last":null}""".formatted(Base64.getEncoder().encodeToString(jar)));

        Path code = Optional.ofNullable(request.code()).orElseThrow();
        assertThat(Files.readAllBytes(code)).isEqualTo(jar);
        assertThat(request.main()).isEqualTo("pkg.Main#go");
        assertThat(request.variables()).isEqualTo(Map.of("A", "snow ☃", "B", "7", "F", ""));
        Files.delete(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"value\":{}}", "{\"value\":7}", "{\"value\":{\"main\":1,\"code\":null}}"})
    void shouldLeaveOutWhatIsMissing(String body) throws Exception {
        assertThat(read(body)).isEqualTo(new InitRequest(null, null, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"value\":{\"code\":\"!!!\"}}", "{\"value\":{\"main\":\"x\""})
    void shouldRefuseWhatIsNoJsonAndWhatIsNoBase64(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(JacksonException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "7"})
    void shouldRefuseWhatIsNoObject(String body) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Not a JSON Object");
    }
}
