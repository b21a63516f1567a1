package org.fleetgrad.cli.place;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.client.Credentials;

/** The keys of one run, drawn at random and forgotten at its end; for a server that containers can reach. */
public record RunKeys(Credentials worker, Credentials evaluator, Credentials operator) {

    private static final int SECRET_BYTES = 24;

    static RunKeys draw() {
        SecureRandom random = new SecureRandom();
        return new RunKeys(draw("worker", random), draw("evaluator", random), draw("operator", random));
    }

    private static Credentials draw(String role, SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new Credentials(role, HexFormat.of().formatHex(secret));
    }

    /** Returns the parameter server's settings, as environment variables. */
    public Map<String, String> ofServer() {
        Map<String, String> variables = new TreeMap<>();
        put(variables, "WORKER", worker);
        put(variables, "EVALUATOR", evaluator);
        put(variables, "OPERATOR", operator);
        return variables;
    }

    private static void put(Map<String, String> variables, String role, Credentials keys) {
        variables.put("PS_SECURITY_KEYS_%s_ACCESSKEY".formatted(role), keys.accessKey());
        variables.put("PS_SECURITY_KEYS_%s_SECRETKEY".formatted(role), keys.secretKey());
    }

    /** Returns the inference API's settings, as environment variables. */
    public Map<String, String> ofInference() {
        return Map.of("INFERENCE_ACCESSKEY", evaluator.accessKey(), "INFERENCE_SECRETKEY", evaluator.secretKey());
    }
}
