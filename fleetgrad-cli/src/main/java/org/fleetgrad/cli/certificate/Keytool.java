package org.fleetgrad.cli.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the JDK's keytool on one keystore. */
final class Keytool {

    /** The environment variable that passes the password: every user of the machine can see arguments. */
    private static final String PASSWORD = "FLEETGRAD_KEYSTORE_PASSWORD";

    private final Path keystore;
    private final String password;

    Keytool(Path keystore, String password) {
        this.keystore = keystore;
        this.password = password;
    }

    void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        command.addAll(List.of("-keystore", keystore.toString(), "-storepass:env", PASSWORD));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD, password);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + output.strip());
        }
    }
}
