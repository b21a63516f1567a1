package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.atlassian.oai.validator.report.MessageResolver;
import com.atlassian.oai.validator.report.ValidationReport;
import com.atlassian.oai.validator.schema.SchemaValidator;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds {@code openapi.yaml} to its own rules. */
class OpenApiYamlTest {

    private static final OpenAPI API = Examples.API;

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldDescribeEverySchemaAndMember(String name) {
        Schema<?> schema = schema(name);

        assertThat(schema.getDescription()).as(name).isNotBlank();
        members(schema)
                .forEach((member, described) -> assertThat(
                                described.get$ref() == null ? described.getDescription() : described.get$ref())
                        .as("%s.%s", name, member)
                        .isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldForbidUndocumentedMembersExceptInProblems(String name) {
        Schema<?> schema = schema(name);

        if ("object".equals(schema.getType())) {
            assertThat(schema.getAdditionalProperties()).as(name).isEqualTo("Problem".equals(name));
        }
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldGiveEveryObjectAnExampleThatIsValid(String name) {
        Schema<?> schema = schema(name);

        if ("object".equals(schema.getType())) {
            assertThat(schema.getExample()).as(name).isNotNull();
            ValidationReport report = new SchemaValidator(API, new MessageResolver())
                    .validate(Json.pretty(schema.getExample()), schema, "example");
            assertThat(report.getMessages()).as(name).isEmpty();
        }
    }

    @Test
    void shouldNameAServiceAndAnIdForEveryOperation() {
        API.getPaths()
                .forEach((path, item) -> item.readOperationsMap().forEach((method, operation) -> {
                    assertThat(operation.getTags())
                            .as("%s %s", method, path)
                            .isNotEmpty()
                            .isSubsetOf("ps-service", "inference-api");
                    assertThat(operation.getOperationId())
                            .as("%s %s", method, path)
                            .isNotBlank();
                    assertThat(operation.getSummary()).as("%s %s", method, path).isNotBlank();
                }));
    }

    static Stream<String> schemas() {
        return API.getComponents().getSchemas().keySet().stream();
    }

    private static Schema<?> schema(String name) {
        return Objects.requireNonNull(API.getComponents().getSchemas().get(name), name);
    }

    // The parser's model declares the raw type.
    @SuppressWarnings("rawtypes")
    private static Map<String, Schema> members(Schema<?> schema) {
        Map<String, Schema> members = schema.getProperties();
        return members == null ? Map.of() : members;
    }
}
