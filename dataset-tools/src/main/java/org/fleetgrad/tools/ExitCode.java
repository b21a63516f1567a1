package org.fleetgrad.tools;

/** The program's exit codes. */
public final class ExitCode {

    /** Success. */
    public static final int OK = 0;

    /** An error inside the program. */
    public static final int INTERNAL = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** An input file is missing or invalid, or an output file exists. */
    public static final int INPUT = 3;

    /** A server or the network failed. */
    public static final int REMOTE = 4;

    private ExitCode() {}
}
