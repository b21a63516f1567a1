package org.fleetgrad.inference;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The complete service on a free port. */
public record RunningService(ConfigurableApplicationContext context) implements AutoCloseable {

    /** Starts the service with settings such as {@code inference.device=cpu}. */
    public static RunningService start(String... settings) {
        List<String> arguments = new ArrayList<>();
        if (Arrays.stream(settings).noneMatch(setting -> setting.startsWith("server.port="))) {
            arguments.add("--server.port=0");
        }
        Arrays.stream(settings).map(setting -> "--" + setting).forEach(arguments::add);
        return new RunningService(SpringApplication.run(InferenceApplication.class, arguments.toArray(String[]::new)));
    }

    public URI uri(String path) {
        return URI.create(
                "http://127.0.0.1:%s%s".formatted(context.getEnvironment().getProperty("local.server.port"), path));
    }

    public HttpRequest get(String path) {
        return HttpRequest.newBuilder(uri(path)).build();
    }

    public HttpRequest post(String path, String mediaType, byte[] body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", mediaType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    public HttpRequest postJson(String path, String body) {
        return post(path, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        context.close();
    }
}
