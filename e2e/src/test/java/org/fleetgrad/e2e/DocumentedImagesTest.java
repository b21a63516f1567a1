package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The images that the documents name exist, so that a copied command works. */
class DocumentedImagesTest {

    private static final Pattern IMAGE = Pattern.compile("fleetgrad/([a-z0-9-]+):([0-9][A-Za-z0-9.-]*)");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/openwhisk.md", "docs/configuration.md"})
    void shouldBeThoseThatDockerBuildMakes(String document) throws IOException {
        Path root = RepositoryRoot.path();
        String version = VERSION.matcher(Files.readString(root.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow()
                .toLowerCase(Locale.ROOT);

        assertThat(IMAGE.matcher(Files.readString(root.resolve(document))).results())
                .isNotEmpty()
                .allSatisfy(image -> {
                    assertThat(root.resolve("docker").resolve(image.group(1)).resolve("Dockerfile"))
                            .exists();
                    assertThat(image.group(2)).isIn(version, version + "-gpu");
                });
    }
}
