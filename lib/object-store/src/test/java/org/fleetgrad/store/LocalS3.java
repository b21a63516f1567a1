package org.fleetgrad.store;

import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/** An S3 service in this process, with its objects in memory. */
public final class LocalS3 implements AutoCloseable {

    /** The keys that the service accepts. */
    public static final S3Credentials CREDENTIALS = new S3Credentials("local-access", "local-secret");

    private final S3Proxy proxy;

    /** Starts the service on a free port. */
    public LocalS3() {
        proxy = S3Proxy.builder()
                .blobStore(BlobStores.create("transient-nio2", new Properties()))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, CREDENTIALS.accessKey(), CREDENTIALS.secretKey())
                .stopTimeout(0)
                .build();
        try {
            proxy.start();
        } catch (Exception failed) {
            throw new IllegalStateException("the S3 service did not start", failed);
        }
    }

    /** Returns its address. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    @Override
    public void close() {
        try {
            proxy.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("the S3 service did not stop", failed);
        }
    }
}
