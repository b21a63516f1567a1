package org.fleetgrad.testing;

import com.atlassian.oai.validator.report.MessageResolver;
import com.atlassian.oai.validator.report.SimpleValidationReportFormat;
import com.atlassian.oai.validator.report.ValidationReport;
import com.atlassian.oai.validator.schema.SchemaValidator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The part of the contract that belongs to no operation: answers to unknown routes, and {@code code} in JSON. */
final class ProblemAnswers {

    private static final String PROBLEM_JSON = "application/problem+json";

    private final OpenAPI api;
    private final SchemaValidator schemas;
    private final ObjectMapper json = new ObjectMapper();

    ProblemAnswers(OpenAPI api) {
        this.api = api;
        this.schemas = new SchemaValidator(api, new MessageResolver());
    }

    /**
     * Checks an answer that any request can get: 401 and 403 where the path or its method is unknown to whoever asks, 404 where the path is unknown, 405 where the method is, 406 where the
     * client accepts nothing that the answer could be. Tells whether the answer is one of these.
     */
    boolean isGeneral(Exchange exchange, @Nullable PathItem documented) {
        boolean isKnown = documented != null && hasMethod(documented, exchange.method());
        if (exchange.status() == 401 && !isKnown) {
            check(exchange, "urn:fleetgrad:problem:unauthenticated");
            return true;
        }
        if (exchange.status() == 403 && !isKnown) {
            check(exchange, "urn:fleetgrad:problem:forbidden");
            return true;
        }
        if (exchange.status() == 404 && documented == null) {
            check(exchange, "urn:fleetgrad:problem:not-found");
            return true;
        }
        if (exchange.status() == 405 && documented != null && !isKnown) {
            check(exchange, "urn:fleetgrad:problem:method-not-allowed");
            checkAllow(exchange, documented);
            return true;
        }
        if (exchange.status() == 406 && documented != null) {
            check(exchange, "urn:fleetgrad:problem:not-acceptable");
            return true;
        }
        return false;
    }

    private static boolean hasMethod(PathItem documented, String method) {
        return documented.readOperationsMap().keySet().stream()
                .anyMatch(known -> known.name().equals(method));
    }

    /** Checks that a JSON answer repeats the HTTP status as its {@code code}, where it has one. */
    void checkCode(Exchange exchange) {
        String type = exchange.responseHeader("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("application/json") || type.startsWith(PROBLEM_JSON)) {
            JsonNode code = parsed(exchange).get("code");
            if (code != null && code.asInt() != exchange.status()) {
                throw OpenApiContract.violation(
                        exchange, "code is %s, the HTTP status %d".formatted(code, exchange.status()));
            }
        }
    }

    private void check(Exchange exchange, String type) {
        String mediaType = exchange.responseHeader("Content-Type").orElse("none");
        if (!mediaType.startsWith(PROBLEM_JSON)) {
            throw OpenApiContract.violation(
                    exchange, "the media type is %s instead of %s".formatted(mediaType, PROBLEM_JSON));
        }
        ValidationReport report = schemas.validate(
                new String(exchange.responseBytes(), StandardCharsets.UTF_8),
                api.getComponents().getSchemas().get("Problem"),
                "response.body");
        if (report.hasErrors()) {
            throw OpenApiContract.violation(
                    exchange, SimpleValidationReportFormat.getInstance().apply(report));
        }
        String actual = parsed(exchange).get("type").asText();
        if (!actual.equals(type)) {
            throw OpenApiContract.violation(exchange, "type is %s instead of %s".formatted(actual, type));
        }
        checkCode(exchange);
    }

    private static void checkAllow(Exchange exchange, PathItem documented) {
        List<String> allowed = Arrays.stream(
                        exchange.responseHeader("Allow").orElse("").split(","))
                .map(String::strip)
                .toList();
        documented.readOperationsMap().keySet().forEach(method -> {
            if (!allowed.contains(method.name())) {
                throw OpenApiContract.violation(exchange, "Allow is %s and lacks %s".formatted(allowed, method));
            }
        });
    }

    private JsonNode parsed(Exchange exchange) {
        try {
            return json.readTree(exchange.responseBytes());
        } catch (IOException notJson) {
            throw OpenApiContract.violation(exchange, "the body is not JSON: " + notJson.getMessage());
        }
    }
}
