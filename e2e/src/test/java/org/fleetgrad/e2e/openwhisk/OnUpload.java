package org.fleetgrad.e2e.openwhisk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.RepositoryRoot;

/** Runs the script that makes an OpenWhisk start workers after an upload. */
public final class OnUpload {

    private static final Path SCRIPT = RepositoryRoot.path().resolve("docker/openwhisk/on-upload");

    private OnUpload() {}

    /** How it ended, and all that it printed. */
    public record Ended(int code, String out) {}

    /** Runs it in a folder, which gets the file with MinIO's variables. */
    public static Ended run(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("OPENWHISK_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out);
    }
}
