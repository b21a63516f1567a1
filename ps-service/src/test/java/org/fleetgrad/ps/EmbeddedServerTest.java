package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.fleetgrad.protocol.Routes;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EmbeddedServerTest {

    private static JsonNode status(URI server) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server.resolve(Routes.STATUS)).build();
        String body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return new JsonMapper().readTree(body);
    }

    @Test
    void shouldRunTwoServersInOneJvmWithSettingsOfTheirOwn() throws Exception {
        try (EmbeddedServer one = EmbeddedServer.start("ps.learning-rate=0.5");
                EmbeddedServer other = EmbeddedServer.start("ps.mode=sync")) {
            assertThat(one.address()).isNotEqualTo(other.address());
            assertThat(status(one.address()).get("learningRate").asDouble()).isEqualTo(0.5);
            assertThat(status(one.address()).get("mode").asString()).isEqualTo("async");
            assertThat(status(other.address()).get("mode").asString()).isEqualTo("sync");
            assertThat(status(one.address()).get("generation"))
                    .isNotEqualTo(status(other.address()).get("generation"));
        }
    }

    @Test
    void shouldReleaseItsPortOnClose() {
        EmbeddedServer server = EmbeddedServer.start();
        URI address = server.address();
        server.close();

        assertThatThrownBy(() -> status(address)).isInstanceOf(ConnectException.class);
    }

    @Test
    void shouldSayWhichSettingIsInvalid() {
        assertThatThrownBy(() -> EmbeddedServer.start("ps.mode=sometimes").close())
                .rootCause()
                .hasMessageContaining("sometimes");
    }
}
