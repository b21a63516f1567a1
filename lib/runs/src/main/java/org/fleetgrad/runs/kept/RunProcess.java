package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The process that runs a run. Its number alone does not name it, since the system gives numbers again: the time at which it started
 * does.
 *
 * @param pid   its number; 0 if no process is known
 * @param start when it started, in the system's own words: on Linux the boot and the clock ticks since then, because the wall clock may
 *     be set between two looks; elsewhere milliseconds since 1970
 * @param host  name of the machine, whose processes other machines do not see
 */
public record RunProcess(long pid, String start, String host) {

    /** No process is known. */
    static final RunProcess NONE = new RunProcess(0, "", "");

    private static final Path PROC = Path.of("/proc");
    private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");

    /** In {@code /proc/PID/stat} after the name of the command: its state, and 19 fields later its start. */
    private static final int START_FIELD = 19;

    /** Returns this process. */
    static RunProcess current() {
        return of(ProcessHandle.current());
    }

    /** Returns a process of this machine. */
    static RunProcess of(ProcessHandle process) {
        return new RunProcess(process.pid(), startOf(process).orElse(""), thisHost());
    }

    /** Returns whether it ran on another machine, so that nothing is known of it here. */
    public boolean isElsewhere() {
        return pid != 0 && !host.equals(thisHost());
    }

    /** Returns the process, if it is running on this machine: never another one that has its number now. */
    public Optional<ProcessHandle> running() {
        if (pid <= 0 || start.isEmpty() || isElsewhere()) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> startOf(process).filter(start::equals).isPresent());
    }

    /** Returns when a process started; empty if it has ended, or waits for its parent to take notice of its end. */
    private static Optional<String> startOf(ProcessHandle process) {
        if (!Files.exists(BOOT)) {
            return process.info().startInstant().map(start -> Long.toString(start.toEpochMilli()));
        }
        try {
            String stat = Files.readString(
                    PROC.resolve(Long.toString(process.pid())).resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name of a command may contain anything, also blanks and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            boolean isGone = fields.length <= START_FIELD || fields[0].equals("Z") || fields[0].equals("X");
            return isGone
                    ? Optional.empty()
                    : Optional.of(Files.readString(BOOT).strip() + ":" + fields[START_FIELD]);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static String thisHost() {
        return Host.NAME;
    }

    /** The name is asked for once: a resolver may take seconds. */
    private static final class Host {
        private static final String NAME = name();

        private static String name() {
            Path kernel = PROC.resolve("sys/kernel/hostname");
            try {
                return Files.exists(kernel)
                        ? Files.readString(kernel).strip()
                        : InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "localhost";
            } catch (IOException unreadable) {
                return "localhost";
            }
        }
    }
}
