package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that closes its half of the connection in the middle of a body still reads: it must not get a success response. */
@Timeout(60)
class BrokenBodyTest {

    @ParameterizedTest
    @CsvSource({"500000, 1.1", "500000, 1.0", "1000, 1.1", "1000, 1.0"})
    void shouldSayThatTheBodyEnded(int values, String http) throws Exception {
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", values)));
        try (RunningService service = RunningService.start()) {
            byte[] parameters = Tensors.file(layout, Map.of(), new float[values]);
            assertThat(sent(service, "PUT /putParameter", "If-None-Match: *", http, parameters, parameters.length / 2))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("the body ended after ");
            assertThat(sent(service, "PUT /putParameter", "If-None-Match: *", http, parameters, parameters.length))
                    .startsWith("HTTP/1.1 201 ");

            byte[] gradient =
                    Tensors.file(layout, Tensors.metadata("a", 1, service.generation(), 0), new float[values]);
            for (int cut : new int[] {3, 20, gradient.length / 2, gradient.length - 1}) {
                assertThat(sent(service, "POST /putGradient", "X-Worker: a", http, gradient, cut))
                        .as("%d of %d bytes", cut, gradient.length)
                        .startsWith("HTTP/1.1 400 ")
                        .contains(
                                "application/problem+json",
                                "the body ended after %d of %d bytes".formatted(cut, gradient.length));
            }
        }
    }

    private static String sent(RunningService service, String route, String header, String http, byte[] body, int bytes)
            throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.uri("/").getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "%s HTTP/%s\r\nHost: a\r\n%s\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                            .formatted(route, http, header, HeaderNames.SAFETENSORS, body.length)
                            .getBytes(StandardCharsets.US_ASCII));
            out.write(Arrays.copyOf(body, bytes));
            socket.shutdownOutput();
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
