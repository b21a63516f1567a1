package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.testing.OpenApiContract;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service on a free port, over real HTTP; every exchange is validated against {@code openapi.yaml}. */
public final class RunningService implements AutoCloseable {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = new JsonMapper();

    /** Longer than any test: a worker stays registered however little CPU time its test gets. */
    private static final String LEASE = "10m";

    private final ConfigurableApplicationContext context;

    private RunningService(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it with settings such as {@code ps.mode=sync}. */
    public static RunningService start(String... settings) {
        return new RunningService(SpringApplication.run(PsServiceApplication.class, arguments(settings)));
    }

    /** Starts it with beans of the test's own. */
    public static RunningService startWith(Class<?> beans, String... settings) {
        return new RunningService(new SpringApplication(PsServiceApplication.class, beans).run(arguments(settings)));
    }

    private static String[] arguments(String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        if (Arrays.stream(settings).noneMatch(setting -> setting.startsWith("ps.lease="))) {
            arguments.add("--ps.lease=" + LEASE);
        }
        Arrays.stream(settings).map(setting -> "--" + setting).forEach(arguments::add);
        return arguments.toArray(String[]::new);
    }

    /** Starts it with beans of the test's own, and returns while it is still recovering its run. */
    public static RunningService starting(Class<?> beans, String... settings) {
        CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
        SpringApplication application = new SpringApplication(PsServiceApplication.class, beans);
        application.addListeners((ApplicationListener<ApplicationStartedEvent>)
                event -> started.complete(event.getApplicationContext()));
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> application.run(arguments(settings)));
        return new RunningService(started.join());
    }

    /** Puts the initial parameter set {@link Tensors#LAYOUT}, six values. */
    public RunningService startingAt(float... values) {
        HttpResponse<byte[]> reply = send(
                tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(values)).header("If-None-Match", "*"));
        assertThat(reply.statusCode()).isEqualTo(201);
        return this;
    }

    public RunningService withWorkers(String... workers) {
        for (String worker : workers) {
            HttpResponse<byte[]> reply = send(json(Routes.REGISTER_WORKER, "{\"id\":\"%s\"}".formatted(worker)));
            assertThat(reply.statusCode()).isEqualTo(200);
        }
        return this;
    }

    public ApplicationContext context() {
        return context;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public String generation() {
        return bean(Training.class).generation();
    }

    public URI uri(String path) {
        return URI.create(
                "http://127.0.0.1:%s%s".formatted(context.getEnvironment().getProperty("local.server.port"), path));
    }

    public HttpRequest.Builder get(String path) {
        return HttpRequest.newBuilder(uri(path));
    }

    public HttpRequest.Builder json(String path, String body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    public HttpRequest.Builder tensors(String method, String path, byte[] body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", HeaderNames.SAFETENSORS)
                .method(method, BodyPublishers.ofByteArray(body));
    }

    /** Pushes a gradient of six values. */
    public HttpRequest.Builder push(String worker, long sequence, long baseVersion, float... gradient) {
        return push("", worker, sequence, baseVersion, gradient);
    }

    /** Pushes a gradient of six values with a query such as {@code ?pull=true}. */
    public HttpRequest.Builder push(String query, String worker, long sequence, long baseVersion, float... gradient) {
        return tensors(
                "POST",
                Routes.PUT_GRADIENT + query,
                Tensors.gradient(Tensors.metadata(worker, sequence, generation(), baseVersion), gradient));
    }

    public HttpResponse<byte[]> send(HttpRequest.Builder request) {
        return CONTRACT.send(request.build());
    }

    public HttpResponse<InputStream> stream(HttpRequest.Builder request) {
        return CONTRACT.stream(request.build());
    }

    /** Sends a request that must be refused, and asserts that it changed nothing. */
    public JsonNode refused(HttpRequest.Builder request, int status, String rule) {
        List<Byte> before = state();
        HttpResponse<byte[]> answer = send(request);
        JsonNode problem = body(answer);
        assertThat(answer.statusCode()).as(problem.toString()).isEqualTo(status);
        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        assertThat(problem.get("code").asInt()).isEqualTo(status);
        assertThat(state()).as("the state after a refused request").isEqualTo(before);
        return problem;
    }

    /** The version and every byte of the parameter set; empty before there is one. */
    private List<Byte> state() {
        Optional<ParameterSnapshot> held = bean(PublishedParameters.class).hold();
        List<Byte> bytes = new ArrayList<>();
        held.ifPresent(newest -> {
            try (newest) {
                for (ByteBuffer file = newest.file(ParameterForm.WHOLE); file.hasRemaining(); ) {
                    bytes.add(file.get());
                }
            }
        });
        return bytes;
    }

    public static JsonNode body(HttpResponse<byte[]> answer) {
        return JSON.readTree(answer.body());
    }

    public static TensorSet decoded(HttpResponse<byte[]> answer) {
        try {
            return Safetensors.decode(ByteBuffer.wrap(answer.body()));
        } catch (SafetensorsException malformed) {
            throw new AssertionError("the answer is not safetensors", malformed);
        }
    }

    /** The newest six values, pulled. */
    public float[] values() {
        return decoded(send(get(Routes.GET_PARAMETER))).toFloats(Tensors.LAYOUT);
    }

    public long version() {
        return body(send(get(Routes.GET_VERSION))).get("version").asLong();
    }

    @Override
    public void close() {
        context.close();
    }
}
