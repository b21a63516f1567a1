package org.fleetgrad.runs.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.client.Credentials;

/** The keys of one run, generated at random and discarded at its end; for a server that containers can reach. */
public record RunKeys(Credentials worker, Credentials reader, Credentials evaluator, Credentials operator) {

    private static final int SECRET_BYTES = 24;
    private static final int TOKEN_KEY_BYTES = 48;

    static RunKeys draw() {
        SecureRandom random = new SecureRandom();
        return new RunKeys(
                draw("worker", random), draw("reader", random), draw("evaluator", random), draw("operator", random));
    }

    private static Credentials draw(String role, SecureRandom random) {
        return new Credentials(role, hex(SECRET_BYTES, random));
    }

    private static String hex(int count, SecureRandom random) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
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
     * Writes the secret key of a reader into {@code reader.key}, which only its owner can read: for clients of the services
     * of a run that continues.
     *
     * @return the file
     */
    public Path writeReader(Path folder) throws IOException {
        return writeSecret(folder.resolve("reader.key"), reader.secretKey());
    }

    /**
     * Generates the key that signs tokens and writes it into {@code token.key}, which only its owner can read. All services
     * of the run read it, so each accepts the tokens of the others, and a restarted service accepts its old ones.
     *
     * @return the file
     */
    public static Path writeTokenKey(Path folder) throws IOException {
        return writeSecret(folder.resolve("token.key"), hex(TOKEN_KEY_BYTES, new SecureRandom()));
    }

    private static Path writeSecret(Path file, String secret) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, secret + "\n");
    }
}
