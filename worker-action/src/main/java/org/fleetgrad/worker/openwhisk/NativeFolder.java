package org.fleetgrad.worker.openwhisk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder with libtorch, DJL's binding and JNA's native half, which the runtime's image has and the jar has not. DJL and JNA load
 * from it by path, so the libraries belong to the class loader of the action's jar, whatever the runtime has on its class path.
 *
 * @param path what {@code PYTORCH_LIBRARY_PATH} says; null if it says nothing
 */
record NativeFolder(@Nullable String path) {

    private static final String VARIABLE = "PYTORCH_LIBRARY_PATH";
    private static final String JNA_FOLDER = "jna.boot.library.path";
    private static final String JNA_KEEPS_TO_IT = "jna.nounpack";

    static NativeFolder of(Map<String, String> environment) {
        return new NativeFolder(environment.get(VARIABLE));
    }

    /** Tells JNA of the folder, if no flag of the JVM did. Returns what is wrong if there is no such folder. */
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
