package org.fleetgrad.tools;

/** What the program's exit codes mean. */
public final class ExitCode {

    /** Everything went well. */
    public static final int OK = 0;

    /** The program itself is at fault. */
    public static final int INTERNAL = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** A file given as input is missing, in the way, or invalid. */
    public static final int INPUT = 3;

    /** A server or the network failed. */
    public static final int REMOTE = 4;

    private ExitCode() {}
}
