package org.fleetgrad.worker.openwhisk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder with libtorch, DJL's binding and JNA's native library, which are in the runtime's image and not in the jar. DJL
 * and JNA load from it by path, so the libraries belong to the class loader of the action's jar, whatever the runtime has on
 * its class path.
 *
 * @param path the value of {@code PYTORCH_LIBRARY_PATH}; null if it is not set
 */
record NativeFolder(@Nullable String path) {

    private static final String VARIABLE = "PYTORCH_LIBRARY_PATH";
    private static final String JNA_FOLDER = "jna.boot.library.path";
    private static final String JNA_KEEPS_TO_IT = "jna.nounpack";

    static NativeFolder of(Map<String, String> environment) {
        return new NativeFolder(environment.get(VARIABLE));
    }

    /** Sets JNA's library folder, unless a JVM flag did. Returns an error message if there is no such folder. */
    Optional<String> prepare() {
        if (path == null || !Files.isDirectory(Path.of(path))) {
            return Optional.of(
                    "this runtime has no libtorch: %s is %s; create the action with --docker fleetgrad/java-runtime and the version of its jar"
                            .formatted(
                                    VARIABLE, path == null ? "not set" : "'%s', which is no folder".formatted(path)));
        }
        if (System.getProperty(JNA_FOLDER) == null) {
            System.setProperty(JNA_FOLDER, path);
            System.setProperty(JNA_KEEPS_TO_IT, "true");
        }
        return Optional.empty();
    }
}
