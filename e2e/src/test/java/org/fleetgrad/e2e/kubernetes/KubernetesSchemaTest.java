package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validates the manifests strictly against Kubernetes' own schemas: an unknown member is an error. */
@Tag("whole")
class KubernetesSchemaTest {

    private static final String CHECK = """
            import json, sys, kubernetes_validate
            version = sys.argv[1]
            for document in sys.argv[2:]:
                document = json.loads(document)
                try:
                    kubernetes_validate.validate(document, version, strict=True)
                    print("valid")
                except kubernetes_validate.ValidationError as error:
                    print(document["kind"], document["metadata"]["name"], error.message)
            """;

    /** The oldest version that knows all members used, and a newer one. */
    @ParameterizedTest
    @ValueSource(strings = {"1.31", "1.34"})
    void shouldBeValidOfEveryKind(String version) {
        List<Manifest> all = new ArrayList<>(Manifests.read().all());
        for (Path file :
                List.of(Kustomize.ELASTIC.resolve("worker.yaml"), Kustomize.AUTOSCALER.resolve("autoscaler.yaml"))) {
            all.addAll(Manifests.parse(file.toString(), Manifests.read(file)).toList());
        }
        String[] arguments = Stream.concat(
                        Stream.of(version), all.stream().map(Manifest::root).map(Object::toString))
                .toArray(String[]::new);

        assertThat(Python.run(CHECK, arguments).lines()).hasSameSizeAs(all).containsOnly("valid");
    }

    @Test
    void shouldSeeAMemberThatThereIsNot() {
        String broken =
                Manifests.read(Manifests.FOLDER.resolve("training.yaml")).replace("\ndata:", "\ndatum:");
        Manifest manifest = Manifests.parse("training.yaml", broken).findFirst().orElseThrow();

        assertThat(Python.run(CHECK, "1.31", manifest.root().toString())).contains("datum");
    }
}
