package org.fleetgrad.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A process that answers each line of its input with a line. */
public final class LineProcess implements AutoCloseable {

    private final String name;
    private final Process process;
    private final Writer questions;
    private final BufferedReader answers;

    /** @param name for messages */
    public LineProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    public String ask(String question) throws IOException {
        tell(question);
        return hear();
    }

    /** Sends a line and returns the numbers of the answer, which have blanks between them. */
    public double[] askNumbers(String question) throws IOException {
        return Arrays.stream(ask(question).split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    public double askNumber(String question) throws IOException {
        return Double.parseDouble(ask(question));
    }

    /** Sends a line without waiting. */
    public void tell(String question) throws IOException {
        questions.write(question + "\n");
        questions.flush();
    }

    public String hear() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("%s ended instead of answering".formatted(name));
        }
        return answer;
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public void await() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
