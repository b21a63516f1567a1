package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** Uses servers with scripted responses. */
class PullCommandTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2), TensorSpec.f32("fc.weight", 2, 2)));

    private static final byte[] ASYNCHRONOUS = JsonMapper.shared()
            .writeValueAsBytes(new StatusReply(
                    200, "g", 7, true, 2, 6, "async", false, "sgd", "none", "none", 0.1, 0, null, null, null, null,
                    null, null, null, null, null, 0, 0, 0, Map.of(), 1, List.of(), null, null));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<HttpServer> servers = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void stopServers() {
        servers.forEach(server -> server.stop(0));
    }

    private String serve(int status, String type, byte[] body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        // A client of several servers asks whether the run is synchronous.
        server.createContext("/status", exchange -> {
            exchange.sendResponseHeaders(200, ASYNCHRONOUS.length);
            exchange.getResponseBody().write(ASYNCHRONOUS);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String serve(TensorSet parameters) throws IOException {
        return serve(
                200,
                "application/vnd.safetensors",
                Safetensors.encode(parameters).array());
    }

    @Test
    void shouldWriteTheNewestParametersOfAServer() throws Exception {
        TensorSet served = TensorSet.ofFloats(
                LAYOUT, new float[] {1, 2, 3, 4, 5, 6}, Map.of("generation", "g", "version", "1234", "network", "fc"));

        assertThat(pull(serve(served))).as(err.toString()).isZero();

        TensorSet written = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(model())));
        assertThat(written.layout()).isEqualTo(LAYOUT);
        assertThat(written.data()).isEqualTo(served.data());
        assertThat(written.metadata()).containsEntry("network", "fc").containsEntry("version", "1234");
        assertThat(out.toString()).contains("version 1,234 of generation g, 6 parameters, ");
    }

    @Test
    void shouldJoinThePartsOfSeveralServers() throws Exception {
        TensorSet whole = TensorSet.ofFloats(LAYOUT, new float[] {1, 2, 3, 4, 5, 6}, Map.of("network", "fc"));
        StringBuilder addresses = new StringBuilder();
        int version = 7;
        for (TensorSet part : Partitioning.of(LAYOUT, 2).split(whole)) {
            Map<String, String> metadata = new HashMap<>(part.metadata());
            metadata.putAll(Map.of("generation", "g", "version", Integer.toString(version++)));
            addresses
                    .append(addresses.isEmpty() ? "" : ",")
                    .append(serve(new TensorSet(part.layout(), part.data(), metadata)));
        }

        assertThat(pull(addresses.toString())).as(err.toString()).isZero();

        TensorSet written = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(model())));
        assertThat(written.layout()).isEqualTo(LAYOUT);
        assertThat(written.data()).isEqualTo(whole.data());
        assertThat(out.toString()).contains("versions 7 8 of generation g, 6 parameters, ");
    }

    @Test
    void shouldSayThatThereAreNoParametersYetOrThatTheFileExists() throws Exception {
        String empty = serve(
                404,
                "application/problem+json",
                "{\"type\":\"urn:fleetgrad:problem:no-parameters\",\"title\":\"t\",\"status\":404,\"code\":404,\"detail\":\"none\"}"
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(pull(empty)).isEqualTo(3);
        assertThat(err.toString()).contains("the server has no parameters yet");
        assertThat(model()).doesNotExist();

        Files.writeString(model(), "mine");
        assertThat(pull(empty)).isEqualTo(3);
        assertThat(err.toString()).contains("exists already; pass --force to overwrite it");
        assertThat(model()).hasContent("mine");
    }

    /** It would write the best version of another run than that of the server. */
    @Test
    void shouldRefuseTheBestVersionOfAServerWhichDoesNotPublishIt() throws Exception {
        assertThat(pull("http://127.0.0.1:1", "--best")).isEqualTo(2);

        assertThat(err.toString())
                .contains("--best does not go with --server, which publishes its newest version only")
                .contains("pass --checkpoints");
        assertThat(model()).doesNotExist();
    }

    private Path model() {
        return folder.resolve("model.safetensors");
    }

    private int pull(String addresses, String... more) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        List<String> words =
                new ArrayList<>(List.of("model", "pull", "--server", addresses, "--out", model().toString()));
        words.addAll(List.of(more));
        return commandLine.execute(words.toArray(String[]::new));
    }
}
