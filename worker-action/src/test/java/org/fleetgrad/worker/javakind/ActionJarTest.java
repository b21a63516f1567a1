package org.fleetgrad.worker.javakind;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActionJarTest {

    private static final Map<String, String> WORKER =
            Map.of("w/Main.class", "main", "w/Loop.class", "loop", "LICENSE", "free");

    @TempDir
    private Path folder;

    private Path jar(String name, Map<String, String> entries) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private boolean runsItsOwn(Map<String, String> action) throws IOException {
        return ActionJar.isOtherBuild(jar("action.jar", action), "w.Main", jar("runtime.jar", WORKER));
    }

    @Test
    void shouldShareTheWorkerOfTheSameBuildWithWhateverComesWithIt() throws Exception {
        assertThat(runsItsOwn(WORKER)).isFalse();
        assertThat(runsItsOwn(Map.of(
                        "w/Main.class", "main", "w/Loop.class", "loop", "LICENSE", "other", "my/Net.class", "net")))
                .isFalse();
    }

    @Test
    void shouldShareTheWorkerWithAJarThatBringsOnlyANetwork() throws Exception {
        assertThat(runsItsOwn(Map.of("my/Net.class", "net"))).isFalse();
        assertThat(runsItsOwn(Map.of("my/Net.class", "net", "w/Loop.class", "other")))
                .as("without the entry point it is no worker")
                .isFalse();
    }

    @Test
    void shouldRunAWorkerOfAnotherBuildAlone() throws Exception {
        assertThat(runsItsOwn(Map.of("w/Main.class", "main", "w/Loop.class", "pool")))
                .isTrue();
        assertThat(runsItsOwn(Map.of("w/Main.class", "other"))).isTrue();
    }

    @Test
    void shouldShareWhereTheRuntimeIsNoJar() throws Exception {
        assertThat(ActionJar.isOtherBuild(jar("action.jar", WORKER), "w.Main", null))
                .isFalse();
    }
}
