package org.fleetgrad.testing;

import com.atlassian.oai.validator.report.MessageResolver;
import com.atlassian.oai.validator.report.SimpleValidationReportFormat;
import com.atlassian.oai.validator.report.ValidationReport;
import com.atlassian.oai.validator.schema.SchemaValidator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of the contract that belongs to no operation: responses for unknown routes, {@code code} in JSON, and titles. */
final class ProblemAnswers {

    private static final String PROBLEM_JSON = "application/problem+json";
    private static final String TYPE_PREFIX = "urn:fleetgrad:problem:";

    private final OpenAPI api;
    private final SchemaValidator schemas;
    private final Map<String, String> titles;
    private final ObjectMapper json = new ObjectMapper();

    ProblemAnswers(OpenAPI api) {
        this.api = api;
        this.schemas = new SchemaValidator(api, new MessageResolver());
        this.titles = titles(api);
    }

    /**
     * Checks a response that any request can get: 401 and 403 if the path or its method is unknown, 404 if the path is
     * unknown, 405 if the method is unknown, 406 if the client does not accept the media type of the response. Returns
     * whether the response is one of these.
     */
    boolean isGeneral(RecordedExchange exchange, @Nullable PathItem documented) {
        boolean isKnown = documented != null && hasMethod(documented, exchange.method());
        if (exchange.status() == 401 && !isKnown) {
            check(exchange, TYPE_PREFIX + "unauthenticated");
            return true;
        }
        if (exchange.status() == 403 && !isKnown) {
            check(exchange, TYPE_PREFIX + "forbidden");
            return true;
        }
        if (exchange.status() == 404 && documented == null) {
            check(exchange, TYPE_PREFIX + "not-found");
            return true;
        }
        if (exchange.status() == 405 && documented != null && !isKnown) {
            check(exchange, TYPE_PREFIX + "method-not-allowed");
            checkAllow(exchange, documented);
            return true;
        }
        if (exchange.status() == 406 && documented != null) {
            check(exchange, TYPE_PREFIX + "not-acceptable");
            return true;
        }
        return false;
    }

    private static boolean hasMethod(PathItem documented, String method) {
        return documented.readOperationsMap().keySet().stream()
                .anyMatch(known -> known.name().equals(method));
    }

    /** Checks the {@code code} of a JSON response, if it has one, and the title of a problem. */
    void checkMembers(RecordedExchange exchange) {
        String type = exchange.responseHeader("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("application/json") || type.startsWith(PROBLEM_JSON)) {
            JsonNode code = parsed(exchange).get("code");
            if (code != null && code.asInt() != exchange.status()) {
                throw OpenApiContract.violation(
                        exchange, "code is %s, the HTTP status %d".formatted(code, exchange.status()));
            }
        }
        if (type.startsWith(PROBLEM_JSON)) {
            checkTitle(exchange, parsed(exchange));
        }
    }

    private void checkTitle(RecordedExchange exchange, JsonNode problem) {
        String rule = problem.path("type").asText().replaceFirst("^" + TYPE_PREFIX, "");
        String actual = problem.path("title").asText();
        String documented = titles.getOrDefault(rule, "no title: there is no such rule");
        if (!actual.equals(documented)) {
            throw OpenApiContract.violation(
                    exchange, "the title of %s is '%s' instead of '%s'".formatted(rule, actual, documented));
        }
    }

    Map<String, String> titles() {
        return titles;
    }

    private static Map<String, String> titles(OpenAPI api) {
        Schema<?> problem =
                Objects.requireNonNull(api.getComponents().getSchemas().get("Problem"), "Problem");
        Map<String, String> byRule = new TreeMap<>();
        if (problem.getExtensions().get("x-titles") instanceof Map<?, ?> titles) {
            titles.forEach((rule, title) -> byRule.put(String.valueOf(rule), String.valueOf(title)));
        }
        return Collections.unmodifiableMap(byRule);
    }

    private void check(RecordedExchange exchange, String type) {
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
        checkMembers(exchange);
    }

    private static void checkAllow(RecordedExchange exchange, PathItem documented) {
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

    private JsonNode parsed(RecordedExchange exchange) {
        try {
            return json.readTree(exchange.responseBytes());
        } catch (IOException notJson) {
            throw OpenApiContract.violation(exchange, "the body is not JSON: " + notJson.getMessage());
        }
    }
}
