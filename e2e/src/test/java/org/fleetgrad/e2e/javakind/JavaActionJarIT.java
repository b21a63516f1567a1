package org.fleetgrad.e2e.javakind;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The worker's jar for the Java kind: what OpenWhisk takes, and what a runtime does not have. */
class JavaActionJarIT {

    private static final long LARGEST = 12_000_000;
    private static final String SERVICES = "META-INF/services/";

    private static Set<String> names() throws IOException {
        try (JarFile jar = new JarFile(JavaKind.WORKER.toFile())) {
            return new TreeSet<>(jar.stream().map(JarEntry::getName).toList());
        }
    }

    @Test
    void shouldBeSmall() throws Exception {
        assertThat(Files.size(JavaKind.WORKER)).isBetween(1_000_000L, LARGEST);
    }

    @Test
    void shouldHaveTheWorkerAndNeitherGsonNorNativeCodeNorSignatures() throws Exception {
        assertThat(names())
                .contains(
                        "org/fleetgrad/worker/openwhisk/Main.class",
                        "ai/djl/pytorch/engine/PtEngine.class",
                        "META-INF/LICENSE",
                        "META-INF/NOTICE",
                        "simplelogger.properties")
                .noneMatch(name -> name.startsWith("com/google/gson/"))
                .noneMatch(name -> name.matches(".*\\.(so(\\.\\d+)*|dll|dylib|jnilib|a|SF|RSA|DSA)"))
                .doesNotContain("module-info.class");
    }

    /** DJL finds its engine, and the networks are found, by these files; a jar that has only one of each kind trains nothing. */
    @Test
    void shouldHaveTheServicesOfAllItsLibraries() throws Exception {
        try (JarFile jar = new JarFile(JavaKind.WORKER.toFile());
                Stream<Path> libraries = Files.list(JavaKind.WORKER.resolveSibling("lib"))) {
            for (Path library : libraries.toList()) {
                try (JarFile opened = new JarFile(library.toFile())) {
                    for (JarEntry service : opened.stream()
                            .filter(each -> each.getName().startsWith(SERVICES) && !each.isDirectory())
                            .toList()) {
                        for (String provider : lines(opened, service)) {
                            if (jar.getEntry(provider.replace('.', '/') + ".class") != null) {
                                assertThat(lines(jar, jar.getJarEntry(service.getName())))
                                        .as(service.getName())
                                        .contains(provider);
                            }
                        }
                    }
                }
            }
            assertThat(lines(jar, jar.getJarEntry(SERVICES + "ai.djl.engine.EngineProvider")))
                    .contains("ai.djl.pytorch.engine.PtEngineProvider");
        }
    }

    private static List<String> lines(JarFile jar, JarEntry entry) throws IOException {
        return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
