package org.fleetgrad.cli.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.client.Credentials;

/** The keys of one run, drawn at random and forgotten at its end; for a server that containers can reach. */
public record RunKeys(Credentials worker, Credentials reader, Credentials evaluator, Credentials operator) {

    private static final int SECRET_BYTES = 24;

    static RunKeys draw() {
        SecureRandom random = new SecureRandom();
        return new RunKeys(
                draw("worker", random), draw("reader", random), draw("evaluator", random), draw("operator", random));
    }

    private static Credentials draw(String role, SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new Credentials(role, HexFormat.of().formatHex(secret));
    }

    /** Returns the parameter server's settings, as environment variables. */
    public Map<String, String> ofServer() {
        Map<String, String> variables = new TreeMap<>();
        put(variables, "PS_SECURITY_KEYS_WORKER", worker);
        put(variables, "PS_SECURITY_KEYS_READER", reader);
        put(variables, "PS_SECURITY_KEYS_EVALUATOR", evaluator);
        put(variables, "PS_SECURITY_KEYS_OPERATOR", operator);
        return variables;
    }

    private static void put(Map<String, String> variables, String prefix, Credentials keys) {
        variables.put(prefix + "_ACCESSKEY", keys.accessKey());
        variables.put(prefix + "_SECRETKEY", keys.secretKey());
    }

    /** Returns the inference API's settings, as environment variables. */
    public Map<String, String> ofInference() {
        Map<String, String> variables = new TreeMap<>();
        put(variables, "INFERENCE", evaluator);
        put(variables, "INFERENCE_SECURITY_KEYS_READER", reader);
        put(variables, "INFERENCE_SECURITY_KEYS_EVALUATOR", evaluator);
        put(variables, "INFERENCE_SECURITY_KEYS_OPERATOR", operator);
        return variables;
    }

    /**
     * Writes the secret key of a reader into {@code reader.key}, which only its owner can read: for those who ask the
     * services of a run that goes on.
     *
     * @return the file
     */
    public Path writeReader(Path folder) throws IOException {
        Path file = folder.resolve("reader.key");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, reader.secretKey() + "\n");
    }
}
