package org.fleetgrad.benchmarks.rivals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;

/** The scripts of this package, run by this machine's Python. */
public final class PythonScript {

    private static final String PYTHON = "python3";

    /** The module that scripts import. */
    private static final String NETWORKS = "networks.py";

    private PythonScript() {}

    /** Returns what to install, if {@code python3} lacks one of these modules. */
    public static Optional<String> missing(String... modules) throws InterruptedException {
        for (String module : modules) {
            try {
                if (!Programs.succeeds(PYTHON, "-c", "import " + module)) {
                    return Optional.of("python3 has no %s: pip install %s".formatted(module, module));
                }
            } catch (IOException noPython) {
                return Optional.of("there is no python3: install it, and then pip install " + module);
            }
        }
        return Optional.empty();
    }

    public static LineProcess start(Workbench bench, String script, String... arguments) throws IOException {
        copy(bench, NETWORKS);
        Path file = copy(bench, script);
        List<String> command = new ArrayList<>(List.of(PYTHON, "-u", file.toString()));
        command.addAll(List.of(arguments));
        return new LineProcess(script, bench.programs().startOther(script, command, Map.of()));
    }

    private static Path copy(Workbench bench, String script) throws IOException {
        Path file = bench.scratch("scripts").resolve(script);
        try (InputStream source = PythonScript.class.getResourceAsStream(script)) {
            return Files.write(file, Objects.requireNonNull(source, script).readAllBytes());
        }
    }
}
