package org.fleetgrad.worker.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativesTest {

    private final Optional<String> before = Optional.ofNullable(System.getProperty("jna.boot.library.path"));

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        before.ifPresentOrElse(
                path -> System.setProperty("jna.boot.library.path", path),
                () -> System.clearProperty("jna.boot.library.path"));
        System.clearProperty("jna.nounpack");
    }

    @Test
    void shouldSayWhatToWriteWhereTheRuntimeHasNoLibtorch() {
        assertThat(JavaAction.prepareNatives(Map.of()))
                .contains(
                        "this runtime has no libtorch: PYTORCH_LIBRARY_PATH is not set; create the action with --docker fleetgrad/java-runtime and the version of its jar");
        assertThat(JavaAction.prepareNatives(Map.of("PYTORCH_LIBRARY_PATH", "/no/such"))
                        .orElseThrow())
                .contains("PYTORCH_LIBRARY_PATH is '/no/such', which is no folder;");
    }

    @Test
    void shouldTellJnaOfTheFolderUnlessAFlagDid() {
        System.clearProperty("jna.boot.library.path");
        Map<String, String> environment = Map.of("PYTORCH_LIBRARY_PATH", folder.toString());

        assertThat(JavaAction.prepareNatives(environment)).isEmpty();
        assertThat(System.getProperty("jna.boot.library.path")).isEqualTo(folder.toString());

        System.setProperty("jna.boot.library.path", "/of/a/flag");
        assertThat(JavaAction.prepareNatives(environment)).isEmpty();
        assertThat(System.getProperty("jna.boot.library.path")).isEqualTo("/of/a/flag");
    }
}
