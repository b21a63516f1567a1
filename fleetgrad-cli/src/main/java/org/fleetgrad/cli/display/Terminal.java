package org.fleetgrad.cli.display;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.fleetgrad.runs.output.RunOutput;

/** Prints a run's results to stdout and everything else to stderr. Thread-safe. */
public final class Terminal implements RunOutput {

    private static final int QUIET_INTERVAL_MS = 5_000;

    /** In characters; below this nothing would be left of a line. */
    private static final int NARROWEST = 20;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean isLive;
    private final int columns;
    private int liveLength;
    private long lastQuietLine;
    private volatile boolean hasEnded;

    /**
     * @param isLive  whether a line can be overwritten, as in a terminal
     * @param columns width of the terminal: a longer line could not be overwritten
     */
    Terminal(PrintStream out, PrintStream err, boolean isLive, int columns) {
        this.out = out;
        this.err = err;
        this.isLive = isLive;
        this.columns = Math.max(NARROWEST, columns);
    }

    /** Returns this process's terminal. */
    public static Terminal ofProcess() {
        return ofProcess(false);
    }

    /**
     * Returns this process's terminal.
     *
     * @param isPlain whether the user wants lines one after the other, as in a log
     */
    public static Terminal ofProcess(boolean isPlain) {
        // The start script passes whether stderr is a terminal, and how wide: not every Java release can tell.
        boolean isLive = !isPlain && Boolean.getBoolean("fleetgrad.tty") && System.getenv("CI") == null;
        int columns = Integer.getInteger("fleetgrad.columns", Integer.MAX_VALUE);
        Terminal terminal = new Terminal(stream(FileDescriptor.out), stream(FileDescriptor.err), isLive, columns);
        // After Ctrl-C the programs exit one after the other: nothing to report.
        Runtime.getRuntime().addShutdownHook(new Thread(terminal::end, "end-terminal"));
        return terminal;
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Returns a second for a line that is overwritten; otherwise so long that a log stays readable. */
    @Override
    public Duration pace() {
        return Duration.ofSeconds(isLive ? 1 : 30);
    }

    /** Prints nothing more to stderr. */
    void end() {
        hasEnded = true;
    }

    /** Prints a result. */
    public synchronized void print(String line) {
        endLiveLine();
        out.println(line);
    }

    /** Prints a line of progress. */
    @Override
    public synchronized void tell(String line) {
        if (hasEnded) {
            return;
        }
        if (liveLength > 0) {
            // It comes again below the line.
            err.print("\r" + " ".repeat(liveLength) + "\r");
            liveLength = 0;
        }
        err.println(line);
    }

    @Override
    public synchronized void farewell(String line) {
        endLiveLine();
        err.println(line);
    }

    /** Replaces the line with the newest state; if lines cannot be overwritten, prints one every few seconds. */
    @Override
    public synchronized void live(String line) {
        if (hasEnded) {
            return;
        }
        if (isLive) {
            String shown = line.length() < columns ? line : line.substring(0, columns - 2) + "…";
            err.print("\r" + shown + " ".repeat(Math.max(0, liveLength - shown.length())));
            err.flush();
            liveLength = shown.length();
            return;
        }
        long now = System.nanoTime() / 1_000_000;
        if (now - lastQuietLine >= QUIET_INTERVAL_MS) {
            lastQuietLine = now;
            err.println(line);
        }
    }

    private void endLiveLine() {
        if (liveLength > 0) {
            err.println();
            liveLength = 0;
        }
    }
}
