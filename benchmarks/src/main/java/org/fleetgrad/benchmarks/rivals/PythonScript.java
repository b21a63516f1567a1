package org.fleetgrad.benchmarks.rivals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.benchmarks.process.Workbench;

/** A script of this package in this machine's Python. It answers each line of input with a line. */
public final class PythonScript {

    private static final String PYTHON = "python3";

    /** The module that scripts import. */
    private static final String NETWORKS = "networks.py";

    private final String name;
    private final Writer questions;
    private final BufferedReader answers;

    private PythonScript(String name, Process process) {
        this.name = name;
        questions = process.outputWriter(StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Returns what to install, if {@code python3} does not have this module. */
    public static Optional<String> missing(String module) throws InterruptedException {
        try {
            int status = new ProcessBuilder(PYTHON, "-c", "import " + module)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return status == 0
                    ? Optional.empty()
                    : Optional.of("python3 has no %s: pip install %s".formatted(module, module));
        } catch (IOException noPython) {
            return Optional.of("there is no python3: install it, and then pip install " + module);
        }
    }

    /** Starts a script without waiting for it. */
    public static PythonScript start(Workbench bench, String script, String... arguments) throws IOException {
        copy(bench, NETWORKS);
        Path file = copy(bench, script);
        List<String> command = new ArrayList<>(List.of(PYTHON, "-u", file.toString()));
        command.addAll(List.of(arguments));
        return new PythonScript(script, bench.programs().startOther(script, command, Map.of()));
    }

    private static Path copy(Workbench bench, String script) throws IOException {
        Path file = bench.scratch("scripts").resolve(script);
        try (InputStream source = PythonScript.class.getResourceAsStream(script)) {
            return Files.write(file, Objects.requireNonNull(source, script).readAllBytes());
        }
    }

    /** Sends the script a line and returns its answer. */
    public String ask(String question) throws IOException {
        tell(question);
        return hear();
    }

    /** Sends the script a line without waiting. */
    void tell(String question) throws IOException {
        questions.write(question + "\n");
        questions.flush();
    }

    /** Waits for the script's next line. */
    String hear() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("%s ended instead of answering".formatted(name));
        }
        return answer;
    }
}
