package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.access.Role;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The whole service with keys for every role. */
public final class SecuredService implements AutoCloseable {

    private final RunningService service;

    private SecuredService(RunningService service) {
        this.service = service;
    }

    public static SecuredService start(String... settings) {
        return new SecuredService(RunningService.start(secured(settings)));
    }

    /** Starts it with beans of the test's own. */
    public static SecuredService startWith(Class<?> beans, String... settings) {
        return new SecuredService(RunningService.startWith(beans, secured(settings)));
    }

    private static String[] secured(String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        for (Role role : Role.values()) {
            all.add("ps.security.keys.%s.access-key=%s".formatted(role.label(), role.label()));
            all.add("ps.security.keys.%s.secret-key=%s".formatted(role.label(), secret(role)));
        }
        return all.toArray(String[]::new);
    }

    public static String secret(Role role) {
        return "secret-of-" + role.label();
    }

    public RunningService service() {
        return service;
    }

    /** Registers workers and returns the token of the last. */
    public String register(String... workers) {
        String token = "";
        for (String worker : workers) {
            HttpResponse<byte[]> reply = service.send(
                    service.json(Routes.REGISTER_WORKER, "{\"id\":\"%s\",%s}".formatted(worker, keys(Role.WORKER))));
            assertThat(reply.statusCode()).isEqualTo(200);
            token = RunningService.body(reply).get("token").asString();
        }
        return token;
    }

    /** Requests a token; {@code worker} may be null. */
    public String token(Role role, @Nullable String worker) {
        String more = worker == null ? "" : ",\"worker\":\"%s\"".formatted(worker);
        HttpResponse<byte[]> reply =
                service.send(service.json(Routes.ISSUE_TOKEN, "{%s%s}".formatted(keys(role), more)));
        JsonNode body = RunningService.body(reply);
        assertThat(reply.statusCode()).as(body.toString()).isEqualTo(200);
        return body.get("token").asString();
    }

    /** The members of both keys of a role. */
    public static String keys(Role role) {
        return "\"accessKey\":\"%s\",\"secretKey\":\"%s\"".formatted(role.label(), secret(role));
    }

    /** Puts the initial parameter set, six values. */
    public SecuredService startingAt(float... values) {
        HttpResponse<byte[]> reply = service.send(with(
                token(Role.OPERATOR, null),
                service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(values))
                        .header("If-None-Match", "*")));
        assertThat(reply.statusCode()).isEqualTo(201);
        return this;
    }

    public static HttpRequest.Builder with(String token, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + token);
    }

    @Override
    public void close() {
        service.close();
    }
}
