package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.atlassian.oai.validator.report.MessageResolver;
import com.atlassian.oai.validator.report.ValidationReport;
import com.atlassian.oai.validator.schema.SchemaValidator;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds {@code openapi.yaml} and {@code openapi-worker.yaml} to their own rules. */
class OpenApiYamlTest {

    private static final Map<String, OpenAPI> CONTRACTS =
            Map.of("openapi.yaml", Examples.API, "openapi-worker.yaml", Examples.read("openapi-worker.yaml"));
    private static final Map<String, List<String>> SERVICES = Map.of(
            "openapi.yaml", List.of("ps-service", "inference-api"),
            "openapi-worker.yaml", List.of("worker", "ensemble"));

    /** Problems have more than their common members; requests of a foreign protocol may have unknown members. */
    private static final Set<String> OPEN = Set.of("Problem", "InferRequest", "InferTensor", "TableRow");

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldDescribeEverySchemaAndMember(String file, String name) {
        Schema<?> schema = schema(file, name);

        assertThat(schema.getDescription()).as(name).isNotBlank();
        members(schema)
                .forEach((member, described) -> assertThat(
                                described.get$ref() == null ? described.getDescription() : described.get$ref())
                        .as("%s.%s", name, member)
                        .isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldForbidUndocumentedMembersWhereTheyAreOurs(String file, String name) {
        Schema<?> schema = schema(file, name);

        if ("object".equals(schema.getType())) {
            assertThat(schema.getAdditionalProperties()).as(name).isEqualTo(OPEN.contains(name));
        }
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldGiveEveryObjectAnExampleThatIsValid(String file, String name) {
        Schema<?> schema = schema(file, name);

        if ("object".equals(schema.getType())) {
            assertThat(schema.getExample()).as(name).isNotNull();
            ValidationReport report = new SchemaValidator(
                            Objects.requireNonNull(CONTRACTS.get(file)), new MessageResolver())
                    .validate(Json.pretty(schema.getExample()), schema, "example");
            assertThat(report.getMessages()).as(name).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openapi.yaml", "openapi-worker.yaml"})
    void shouldNameAServiceAndAnIdForEveryOperation(String file) {
        Objects.requireNonNull(CONTRACTS.get(file))
                .getPaths()
                .forEach((path, item) -> item.readOperationsMap().forEach((method, operation) -> {
                    assertThat(operation.getTags())
                            .as("%s %s", method, path)
                            .isNotEmpty()
                            .isSubsetOf(SERVICES.get(file));
                    assertThat(operation.getOperationId())
                            .as("%s %s", method, path)
                            .isNotBlank();
                    assertThat(operation.getSummary()).as("%s %s", method, path).isNotBlank();
                }));
    }

    /** A problem has the same title in every response. */
    @Test
    void shouldGiveEachProblemTheSameTitleInBoth() {
        Map<String, String> all = OpenApiContract.load().problemTitles();

        assertThat(all)
                .containsAllEntriesOf(
                        OpenApiContract.load("openapi-worker.yaml").problemTitles());
    }

    static Stream<Arguments> schemas() {
        return CONTRACTS.entrySet().stream()
                .flatMap(contract -> contract.getValue().getComponents().getSchemas().keySet().stream()
                        .map(name -> Arguments.of(contract.getKey(), name)));
    }

    private static Schema<?> schema(String file, String name) {
        OpenAPI api = Objects.requireNonNull(CONTRACTS.get(file));
        return Objects.requireNonNull(api.getComponents().getSchemas().get(name), name);
    }

    // The parser's model declares the raw type.
    @SuppressWarnings("rawtypes")
    private static Map<String, Schema> members(Schema<?> schema) {
        Map<String, Schema> members = schema.getProperties();
        return members == null ? Map.of() : members;
    }
}
