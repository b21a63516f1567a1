package org.fleetgrad.e2e.javakind;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.e2e.JarProcess;

/** The program of the image {@code fleetgrad/java-runtime} as a process of this machine. */
public final class JavaRuntimeProcess {

    private JavaRuntimeProcess() {}

    /** Starts it; {@code environment} has its address and port. */
    public static JarProcess start(Path log, Map<String, String> environment) throws IOException {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("PYTORCH_LIBRARY_PATH", NativeLibraries.folder().toString());
        return JarProcess.startClass(JavaKind.OURS.command(log.resolveSibling("unused"), 0), log, all);
    }
}
