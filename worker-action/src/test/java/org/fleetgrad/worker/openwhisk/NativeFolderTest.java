package org.fleetgrad.worker.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFolderTest {

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
        assertThat(NativeFolder.of(Map.of()).prepare())
                .contains(
                        "this runtime has no libtorch: PYTORCH_LIBRARY_PATH is not set; create the action with --docker fleetgrad/java-runtime and the version of its jar");
        assertThat(NativeFolder.of(Map.of("PYTORCH_LIBRARY_PATH", "/no/such"))
                        .prepare()
                        .orElseThrow())
                .contains("PYTORCH_LIBRARY_PATH is '/no/such', which is no folder;");
    }

    @Test
    void shouldTellJnaOfTheFolderUnlessAFlagDid() {
        System.clearProperty("jna.boot.library.path");
        NativeFolder natives = NativeFolder.of(Map.of("PYTORCH_LIBRARY_PATH", folder.toString()));

        assertThat(natives.prepare()).isEmpty();
        assertThat(System.getProperty("jna.boot.library.path")).isEqualTo(folder.toString());

        System.setProperty("jna.boot.library.path", "/of/a/flag");
        assertThat(natives.prepare()).isEmpty();
        assertThat(System.getProperty("jna.boot.library.path")).isEqualTo("/of/a/flag");
    }
}
