package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.e2e.python.PythonProgram;

/** A worker in Python under load: it is killed and started again, and writes down what it was answered. */
final class PythonFaultWorker implements AutoCloseable {

    static final String ID = "python";

    /** More than a run pushes. */
    private static final int GRADIENTS = 20_000;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Path folder;
    private final URI server;
    private final Gradients gradients;
    private final Path log;
    private PythonProgram program;

    PythonFaultWorker(Path folder, URI server, Gradients gradients) throws IOException {
        this.folder = folder;
        this.server = server;
        this.gradients = gradients;
        this.log = folder.resolve("python.log");
        byte[] valuesInFile = new byte[Float.BYTES * GRADIENTS * Gradients.size()];
        byte[] samplesInFile = new byte[Integer.BYTES * GRADIENTS];
        ByteBuffer values = ByteBuffer.wrap(valuesInFile).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer samples = ByteBuffer.wrap(samplesInFile).order(ByteOrder.LITTLE_ENDIAN);
        for (int sequence = 1; sequence <= GRADIENTS; sequence++) {
            for (float value : gradients.of(ID, sequence)) {
                values.putFloat(value);
            }
            samples.putInt((int) gradients.samples(ID, sequence));
        }
        Files.write(folder.resolve("gradients"), valuesInFile);
        Files.write(folder.resolve("samples"), samplesInFile);
        Files.createFile(log);
        this.program = start();
    }

    private PythonProgram start() throws IOException {
        return PythonProgram.start(
                "e2e/src/test/python/fault_worker.py",
                folder.resolve("python.out"),
                server.toString(),
                ID,
                folder.resolve("gradients").toString(),
                folder.resolve("samples").toString(),
                log.toString(),
                folder.resolve("stop").toString());
    }

    /** Kills the process, and starts another under the same id. */
    void killAndRestart() throws IOException, InterruptedException {
        program.kill();
        program = start();
    }

    /** Returns how many gradients were acknowledged so far; fails if the process has ended. */
    long acknowledged() throws IOException {
        program.requireAlive();
        return acknowledgements().size();
    }

    /** Returns how many of them were acknowledged as duplicates. */
    long duplicates() throws IOException {
        return lines().stream().filter(line -> line.endsWith(" Duplicate .")).count();
    }

    /** Ends the worker in order. */
    void finish() throws IOException, InterruptedException {
        Files.createFile(folder.resolve("stop"));
        assertThat(program.await(TIMEOUT)).isEmpty();
    }

    /** Returns the acknowledgements by sequence number: of a gradient that was pushed twice, with the base of its first push. */
    Map<Long, Acknowledgement> acknowledgements() throws IOException {
        Map<Long, Long> bases = new HashMap<>();
        Map<Long, Acknowledgement> acknowledged = new HashMap<>();
        for (String line : lines()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("push") && words.length == 3) {
                bases.putIfAbsent(Long.valueOf(words[1]), Long.valueOf(words[2]));
            } else if (words[0].equals("ack") && words.length == 6) {
                long sequence = Long.parseLong(words[1]);
                Acknowledgement each = new Acknowledgement(
                        ID,
                        sequence,
                        words[2].equals("1"),
                        Long.parseLong(words[3]),
                        Objects.requireNonNull(bases.get(sequence), line),
                        gradients.samples(ID, sequence));
                assertThat(acknowledged.put(sequence, each))
                        .as("%s is acknowledged once", each)
                        .isNull();
            }
        }
        return acknowledged;
    }

    /** The complete lines: one may be written now. */
    private List<String> lines() throws IOException {
        String text = Files.readString(log);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    @Override
    public void close() {
        program.close();
    }
}
