package org.fleetgrad.cli.display;

/** Writes a word of a command so that it can be pasted into a shell. */
public final class ShellWord {

    private ShellWord() {}

    /** Returns the word as it is, or in single quotes if a shell would take it for something else. */
    public static String of(String word) {
        return word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
