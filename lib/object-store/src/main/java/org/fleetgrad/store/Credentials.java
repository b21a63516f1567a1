package org.fleetgrad.store;

/**
 * Who asks an S3 service. Its text form does not show the secret.
 *
 * @param accessKey the name
 * @param secretKey the secret
 */
public record Credentials(String accessKey, String secretKey) {

    /** Checks that both are there. */
    public Credentials {
        if (accessKey.isEmpty() || secretKey.isEmpty()) {
            throw new IllegalArgumentException("the access key and the secret key must not be empty");
        }
    }

    @Override
    public String toString() {
        return "Credentials[accessKey=%s]".formatted(accessKey);
    }
}
