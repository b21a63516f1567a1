package org.fleetgrad.testing;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A real {@code mlflow server} with a store of its own. */
public final class MlflowProcess implements AutoCloseable {

    private static final int OK = 200;

    private final Process process;
    private final URI uri;

    private MlflowProcess(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /**
     * Starts a server, or skips the test if Python has no mlflow.
     *
     * @param folder for its store and its log
     */
    public static MlflowProcess start(Path folder) throws IOException, InterruptedException {
        Python.requireMlflow();
        Files.createDirectories(folder);
        int port = FreePorts.next();
        File log = folder.resolve("mlflow.log").toFile();
        Process process = new ProcessBuilder(
                        "python3",
                        "-m",
                        "mlflow",
                        "server",
                        "--host",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--workers",
                        "1",
                        "--backend-store-uri",
                        "sqlite:///" + folder.resolve("mlflow.db"),
                        "--artifacts-destination",
                        folder.resolve("artifacts").toString())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        MlflowProcess mlflow = new MlflowProcess(process, URI.create("http://127.0.0.1:" + port));
        mlflow.awaitUp(log.toPath());
        return mlflow;
    }

    private void awaitUp(Path log) throws IOException, InterruptedException {
        HttpRequest health = HttpRequest.newBuilder(uri.resolve("/health"))
                .timeout(Duration.ofSeconds(5))
                .build();
        HttpClient http = HttpClient.newHttpClient();
        while (true) {
            try {
                if (http.send(health, HttpResponse.BodyHandlers.discarding()).statusCode() == OK) {
                    return;
                }
            } catch (IOException notYet) {
                if (process.waitFor(200, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("mlflow ended: " + Files.readString(log), notYet);
                }
            }
        }
    }

    public URI uri() {
        return uri;
    }

    @Override
    public void close() {
        // Its workers are processes of their own.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
