package org.fleetgrad.e2e.pages;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;

/**
 * A parameter server that adds up what is pushed, and an inference service that follows it.
 *
 * @param dashboard the page of the run
 * @param page      the try-it page
 */
record TryItPrograms(PsClient server, URI dashboard, URI page, JarProcess parameterServer, JarProcess service) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Starts both, and waits until they answer; {@code settings} are the service's besides the usual ones. */
    static TryItPrograms start(Path folder, Map<String, String> settings) throws IOException {
        int port = FreePorts.next();
        URI page = URI.create("http://127.0.0.1:%d/".formatted(FreePorts.next()));
        Map<String, String> all = new HashMap<>(settings);
        all.put("SERVER_PORT", Integer.toString(page.getPort()));
        all.put("INFERENCE_SERVER", "http://127.0.0.1:" + port);
        all.put("INFERENCE_FOLLOWINTERVAL", "10ms");
        TryItPrograms programs = new TryItPrograms(
                new PsClient(URI.create("http://127.0.0.1:" + port), ClientOptions.DEFAULT),
                URI.create("http://127.0.0.1:%d/".formatted(port)),
                page,
                start(
                        "ps-service",
                        folder,
                        new HashMap<>(Map.of("SERVER_PORT", Integer.toString(port), "PS_LEARNINGRATE", "1"))),
                start("inference-api", folder, all));
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
            page.resolve("/status").toURL().openStream().close();
            return programs.server.version().code() == 200;
        });
        return programs;
    }

    private static JarProcess start(String module, Path folder, Map<String, String> settings) throws IOException {
        return JarProcess.start(module, folder.resolve(module + ".log"), settings);
    }

    void killService() throws InterruptedException {
        service.kill();
    }

    /** Kills both. */
    void kill() throws InterruptedException {
        service.kill();
        parameterServer.kill();
    }
}
