package org.fleetgrad.store;

/**
 * The keys for an S3 service. The text form does not contain the secret.
 *
 * @param accessKey the name
 * @param secretKey the secret
 */
public record S3Credentials(String accessKey, String secretKey) {

    /** Checks that both keys are set. */
    public S3Credentials {
        if (accessKey.isEmpty() || secretKey.isEmpty()) {
            throw new IllegalArgumentException("the access key and the secret key must not be empty");
        }
    }

    @Override
    public String toString() {
        return "S3Credentials[accessKey=%s]".formatted(accessKey);
    }
}
