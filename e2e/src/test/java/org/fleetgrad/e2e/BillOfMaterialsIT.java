package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A program's software bill of materials, held to the libraries that its class path has. */
@Tag("whole")
class BillOfMaterialsIT {

    @ParameterizedTest
    @ValueSource(
            strings = {"ps-service", "worker-action", "dataset-tools", "inference-api", "evaluator", "fleetgrad-cli"})
    void shouldListEachLibraryWithItsLicense(String program) throws Exception {
        Path target = RepositoryRoot.path().resolve(program).resolve("target");
        JsonNode bill = JsonMapper.builder().build().readTree(Files.readString(target.resolve(program + "-sbom.json")));

        Set<String> listed = new TreeSet<>();
        for (JsonNode component : bill.path("components")) {
            listed.add(jarName(component));
            assertThat(component.path("licenses").size())
                    .as("licenses of %s", component.path("purl"))
                    .isPositive();
        }
        try (Stream<Path> files = Files.list(target.resolve("lib"))) {
            assertThat(listed)
                    .isEqualTo(files.map(file -> file.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    /** Maven's name of the file: the classifier stands in the package URL only. */
    private static String jarName(JsonNode component) {
        String name = component.path("name").asString() + "-"
                + component.path("version").asString();
        String classifier = Stream.of(component
                        .path("purl")
                        .asString()
                        .replaceFirst("^[^?]*\\??", "")
                        .split("&"))
                .filter(part -> part.startsWith("classifier="))
                .map(part -> "-" + part.substring("classifier=".length()))
                .findFirst()
                .orElse("");
        return name + classifier + ".jar";
    }
}
