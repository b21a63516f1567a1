package org.fleetgrad.testing;

import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.LevelResolver;
import com.atlassian.oai.validator.report.SimpleValidationReportFormat;
import com.atlassian.oai.validator.report.ValidationReport;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that validates every exchange against {@code openapi.yaml}.
 *
 * <p>The response must always be documented: its status, media type, headers and schema. A request that was accepted must
 * be documented, too; a refused one may be invalid. For tensors and images, only the media type is checked. Thread-safe.
 */
public final class OpenApiContract {

    private static final int FIRST_ERROR = 400;
    private static final Pattern RULE = Pattern.compile("urn:fleetgrad:problem:([a-z]+(?:-[a-z]+)*)");

    private static final Pattern PARAMETER = Pattern.compile("\\{[a-zA-Z]+}");

    private final OpenAPI api;
    private final OpenApiInteractionValidator validator;
    private final ProblemAnswers problems;
    private final Set<String> rules;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private OpenApiContract(String yaml) {
        SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(yaml);
        if (parsed.getOpenAPI() == null || !parsed.getMessages().isEmpty()) {
            throw new AssertionError("openapi.yaml is not OpenAPI 3.0: " + parsed.getMessages());
        }
        this.api = parsed.getOpenAPI();
        this.validator = OpenApiInteractionValidator.createForInlineApiSpecification(yaml)
                .withLevelResolver(LevelResolver.create()
                        // Not checked by default: a query parameter that the contract does not have.
                        .withLevel("validation.request.parameter.query.unexpected", ValidationReport.Level.ERROR)
                        .build())
                .build();
        this.problems = new ProblemAnswers(api);
        this.rules =
                RULE.matcher(yaml).results().map(rule -> rule.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Loads {@code openapi.yaml} from the root of the checkout. */
    public static OpenApiContract load() {
        return load("openapi.yaml");
    }

    /** Loads another contract from the root of the checkout, such as {@code openapi-worker.yaml}. */
    public static OpenApiContract load(String name) {
        Path file = RepositoryRoot.path().resolve(name);
        try {
            return parse(Files.readString(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    static OpenApiContract parse(String yaml) {
        return new OpenApiContract(yaml);
    }

    /** Returns the operations that carry {@code tag}, such as {@code GET /getVersion}, sorted. */
    public Set<String> operations(String tag) {
        Set<String> found = new TreeSet<>();
        api.getPaths()
                .forEach((path, item) -> item.readOperationsMap().forEach((method, operation) -> {
                    if (operation.getTags() != null && operation.getTags().contains(tag)) {
                        found.add(method + " " + path);
                    }
                }));
        return found;
    }

    /** Returns the title of each rule that a problem's {@code type} can end in. */
    public Map<String, String> problemTitles() {
        return problems.titles();
    }

    /** Returns the rules that the operations name, without the URN before them, sorted. */
    public Set<String> problemRules() {
        return rules;
    }

    /** Sends a request and checks the exchange; fails with a report of everything that is not as documented. */
    public HttpResponse<byte[]> send(HttpRequest request) {
        HttpResponse<byte[]> response = exchange(request, HttpResponse.BodyHandlers.ofByteArray());
        check(RecordedExchange.of(request, response, response.body()));
        return response;
    }

    /** Sends a request whose response does not end by itself, such as events; the caller reads and closes its body. */
    public HttpResponse<InputStream> stream(HttpRequest request) {
        HttpResponse<InputStream> response = exchange(request, HttpResponse.BodyHandlers.ofInputStream());
        // Any text stands for the part of the body that has not arrived yet.
        check(RecordedExchange.of(request, response, new byte[] {'\n'}));
        return response;
    }

    /** Checks an exchange that another client made, such as one with a fake server. */
    public void check(RecordedExchange exchange) {
        String path = exchange.uri().getPath();
        if (!documents(path, exchange) && problems.isGeneral(exchange, item(path))) {
            return;
        }
        Request request = request(exchange);
        SimpleResponse response = response(exchange);
        ValidationReport report = exchange.status() < FIRST_ERROR
                ? validator.validate(request, response)
                : validator.validateResponse(path, request.getMethod(), response);
        if (report.hasErrors()) {
            throw violation(exchange, SimpleValidationReportFormat.getInstance().apply(report));
        }
        problems.checkMembers(exchange);
    }

    static AssertionError violation(RecordedExchange exchange, String report) {
        return new AssertionError("%s%nis not as openapi.yaml documents it:%n%s%nbody: %s"
                .formatted(exchange, report, excerpt(exchange.responseBytes())));
    }

    private static String excerpt(byte[] body) {
        String text = new String(body, 0, Math.min(body.length, 1000), StandardCharsets.UTF_8);
        return body.length > 1000 ? text + "… (%d bytes)".formatted(body.length) : text;
    }

    private boolean documents(String path, RecordedExchange exchange) {
        PathItem item = item(path);
        Operation operation =
                item == null ? null : item.readOperationsMap().get(PathItem.HttpMethod.valueOf(exchange.method()));
        return operation != null && operation.getResponses().containsKey(Integer.toString(exchange.status()));
    }

    /** Finds a path, also one with parameters, such as {@code /v2/models/{model}}. */
    private @Nullable PathItem item(String path) {
        PathItem exact = api.getPaths().get(path);
        if (exact != null) {
            return exact;
        }
        return api.getPaths().entrySet().stream()
                .filter(entry -> path.matches(PARAMETER.matcher(entry.getKey()).replaceAll("[^/]+")))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static Request request(RecordedExchange exchange) {
        SimpleRequest.Builder builder =
                new SimpleRequest.Builder(exchange.method(), exchange.uri().getPath());
        exchange.requestHeaders().forEach(builder::withHeader);
        query(exchange.uri()).forEach(builder::withQueryParam);
        if (exchange.requestBytes().length > 0) {
            builder.withBody(exchange.requestBytes());
        }
        return builder.build();
    }

    private static SimpleResponse response(RecordedExchange exchange) {
        SimpleResponse.Builder builder = SimpleResponse.Builder.status(exchange.status());
        exchange.responseHeaders().forEach(builder::withHeader);
        if (exchange.responseBytes().length > 0) {
            builder.withBody(exchange.responseBytes());
        }
        return builder.build();
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&")) {
                String[] nameAndValue = pair.split("=", 2);
                parameters.put(decoded(nameAndValue[0]), nameAndValue.length > 1 ? decoded(nameAndValue[1]) : "");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return client.send(request, handler);
        } catch (IOException failed) {
            throw new UncheckedIOException("%s %s failed".formatted(request.method(), request.uri()), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
