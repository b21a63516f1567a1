package org.fleetgrad.e2e.s3;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.tools.DatasetTools;
import picocli.CommandLine;

/**
 * The result of a command of dataset-tools.
 *
 * @param exitCode its exit code
 * @param out      its stdout
 * @param err      its stderr
 */
record Tools(int exitCode, String out, String err) {

    /** Runs a command on a bucket. */
    static Tools run(URI endpoint, String bucket, String secretKey, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--endpoint",
                endpoint.toString(),
                "--bucket",
                bucket,
                "--access-key",
                S3Container.CREDENTIALS.accessKey(),
                "--secret-key",
                secretKey));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = DatasetTools.named(DatasetTools.NAME);
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(all.toArray(String[]::new));
        return new Tools(exitCode, out.toString(), err.toString());
    }

    /** Returns the address that a single {@code presign} printed. */
    String url() {
        if (exitCode != 0) {
            throw new AssertionError("exit %d: %s".formatted(exitCode, err));
        }
        return out.strip();
    }
}
