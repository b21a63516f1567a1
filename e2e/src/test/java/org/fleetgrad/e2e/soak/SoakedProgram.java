package org.fleetgrad.e2e.soak;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;
import org.jspecify.annotations.Nullable;

/** A program with the flags of its image and the memory of its container, which is killed and started again on the same port. */
final class SoakedProgram implements AutoCloseable {

    /** Of the containers in docker/kubernetes. */
    private static final int MEBIBYTES = 512;

    private final String module;
    private final Path log;
    private final URI address = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final Map<String, String> settings;
    /** Odd while it is up: whoever sees the same odd number before and after a request did not meet a restart. */
    private final AtomicInteger life = new AtomicInteger();

    private volatile @Nullable JarProcess process;

    SoakedProgram(String module, Path folder, Map<String, String> settings) {
        this.module = module;
        this.log = folder.resolve(module + ".log");
        this.settings = settings;
    }

    void start(Callable<Boolean> isUp) throws IOException {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", Integer.toString(address.getPort()));
        JarProcess started = JarProcess.startAsShipped(MEBIBYTES, module, log, environment);
        process = started;
        started.awaitUp(isUp);
        life.incrementAndGet();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        life.incrementAndGet();
        running().kill();
    }

    int life() {
        return life.get();
    }

    static boolean isUp(int life) {
        return life % 2 == 1;
    }

    URI address() {
        return address;
    }

    /** Throws if it ended by itself. */
    void requireAlive() throws IOException {
        if (!running().isAlive()) {
            throw new AssertionError("%s ended by itself: %s".formatted(module, lastLines()));
        }
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    /** Looks at it; Linux only. */
    Vitals.Sample sample(long millis) throws IOException, InterruptedException {
        Path own = Path.of("/proc", Long.toString(running().pid()));
        return new Vitals.Sample(millis, reachableBytes(), count(own.resolve("fd")), count(own.resolve("task")));
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        }
    }

    /** Returns the bytes of the objects that a collection leaves, whichever collector the JVM has. */
    private double reachableBytes() throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(running().pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        // The last line: Total, the number of objects, their bytes.
        String[] total = histogram.substring(histogram.lastIndexOf('\n') + 1).split("\\s+");
        if (asked.waitFor() != 0 || !total[0].equals("Total")) {
            throw new IOException("jcmd answered of %s: %s".formatted(module, histogram));
        }
        return Double.parseDouble(total[2]);
    }

    private JarProcess running() {
        JarProcess started = process;
        if (started == null) {
            throw new IllegalStateException(module + " was not started");
        }
        return started;
    }

    @Override
    public void close() {
        JarProcess started = process;
        try {
            if (started != null) {
                started.kill();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
