package org.fleetgrad.tools.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.fleetgrad.tools.DatasetTools;
import picocli.CommandLine;

/** Runs the command line in this process. */
record Cli(int exitCode, String out, String err) {

    static Cli run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = DatasetTools.named(DatasetTools.NAME)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        int exitCode = commandLine.execute(texts);
        return new Cli(exitCode, out.toString(), err.toString());
    }
}
