package org.fleetgrad.runs.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.fleetgrad.runs.start.ProgramActivity;
import org.fleetgrad.runs.start.Starting;

/** One started program, with its log. */
public final class ProgramProcess implements Starting {

    private static final int TAIL_LINES = 5;

    private final String name;
    private final Process process;
    private final Path log;
    private final PortFiles ports;
    private final boolean isReplaceable;

    /** The files to which a program writes its ports. */
    record PortFiles(PortFile main, PortFile serving) {}

    ProgramProcess(String name, Process process, Path log, PortFiles ports, boolean isReplaceable) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.ports = ports;
        this.isReplaceable = isReplaceable;
    }

    @Override
    public String name() {
        return name;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the port that the program listens on; empty until it listens. */
    public OptionalInt port() throws IOException {
        return ports.main().read();
    }

    /** Returns the port on which a worker serves predictions; empty until it listens. */
    public OptionalInt servingPort() throws IOException {
        return ports.serving().read();
    }

    /** Returns whether the program has ended, or ends within {@code patience}. */
    public boolean hasEnded(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether another process replaces it when it ends. */
    boolean isReplaceable() {
        return isReplaceable;
    }

    public int exitCode() {
        return process.exitValue();
    }

    /** Returns the file with the program's output. */
    public Path log() {
        return log;
    }

    @Override
    public ProgramActivity activity() throws IOException {
        return ProgramActivity.of(Stream.of(process.toHandle()), log);
    }

    @Override
    public String logPlace() {
        return log.toString();
    }

    @Override
    public String lastLine() {
        List<String> lines = tail();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** Describes how the program ended, with the end of its log. */
    public String describeEnd() {
        return "%s ended with code %d; its log %s ends:%n  %s"
                .formatted(name, process.exitValue(), log, String.join(System.lineSeparator() + "  ", tail()));
    }

    /**
     * Returns whether the program ended because another program had its port.
     *
     * @param address that it was to listen on
     */
    public boolean lostItsPort(InetSocketAddress address) throws IOException {
        // The other program may have ended since; Spring's message about it is in the log.
        return port().isEmpty()
                && !isAlive()
                && (Ports.isTaken(address)
                        || text().contains("Port %d was already in use".formatted(address.getPort())));
    }

    /** Returns the log. It need not be UTF-8: the program's libraries and its JVM write to it, too. */
    private String text() throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    }

    private List<String> tail() {
        try {
            return LogTail.lines(log, TAIL_LINES);
        } catch (IOException unreadable) {
            return List.of("(unreadable: " + unreadable + ")");
        }
    }

    /** Kills the program as {@code kill -9} does; returns before it is gone. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends SIGTERM to the program. */
    void terminate() {
        process.destroy();
    }

    /** Waits up to {@code patience} for the end, then kills it. */
    void awaitEnd(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
