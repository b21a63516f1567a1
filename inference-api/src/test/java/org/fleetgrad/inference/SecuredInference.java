package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.access.Role;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.testing.OpenApiContract;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The complete service with keys for every role, and no parameter server; every exchange is checked against {@code
 * openapi.yaml}.
 */
public final class SecuredInference implements AutoCloseable {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    private final RunningService service;

    private SecuredInference(RunningService service) {
        this.service = service;
    }

    public static SecuredInference start(String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("inference.server=http://127.0.0.1:1");
        for (Role role : Role.values()) {
            all.add("inference.security.keys.%s.access-key=%s".formatted(role.label(), role.label()));
            all.add("inference.security.keys.%s.secret-key=%s".formatted(role.label(), secret(role)));
        }
        return new SecuredInference(RunningService.start(all.toArray(String[]::new)));
    }

    public static String secret(Role role) {
        return "secret-of-" + role.label();
    }

    /** The members of both keys of a role. */
    public static String keys(Role role) {
        return "\"accessKey\":\"%s\",\"secretKey\":\"%s\"".formatted(role.label(), secret(role));
    }

    public ApplicationContext context() {
        return service.context();
    }

    public URI uri(String path) {
        return service.uri(path);
    }

    public HttpRequest.Builder request(String method, String path) {
        return HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.noBody());
    }

    public HttpRequest.Builder json(String path, String body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    public HttpResponse<byte[]> send(HttpRequest.Builder request) {
        return CONTRACT.send(request.build());
    }

    public String token(Role role) {
        HttpResponse<byte[]> reply = send(json(Routes.ISSUE_TOKEN, "{%s}".formatted(keys(role))));
        assertThat(reply.statusCode()).as(body(reply).toString()).isEqualTo(200);
        return body(reply).get("token").asString();
    }

    /** Sends a request that is to be refused. */
    public JsonNode refused(HttpRequest.Builder request, int status, String rule) {
        HttpResponse<byte[]> answer = send(request);
        JsonNode problem = body(answer);
        assertThat(answer.statusCode()).as(problem.toString()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        assertThat(problem.get("code").asInt()).isEqualTo(status);
        return problem;
    }

    public static HttpRequest.Builder with(String token, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + token);
    }

    public static JsonNode body(HttpResponse<byte[]> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    @Override
    public void close() {
        service.close();
    }
}
