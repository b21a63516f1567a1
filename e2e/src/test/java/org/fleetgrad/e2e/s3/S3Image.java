package org.fleetgrad.e2e.s3;

import java.io.IOException;
import org.fleetgrad.e2e.container.Docker;
import org.jspecify.annotations.Nullable;

/** Chooses the image that serves S3: MinIO's if the engine has it, else S3Proxy. */
public final class S3Image {

    private static final String MINIO = "quay.io/minio/minio:RELEASE.2025-09-07T16-13-09Z";

    private static @Nullable String chosen;

    private S3Image() {}

    /** Returns the image's name, and prints a warning once if it is not MinIO's. Pulls nothing. */
    public static synchronized String choose() throws IOException {
        String image = chosen == null ? look() : chosen;
        chosen = image;
        return image;
    }

    private static String look() throws IOException {
        String named = System.getenv().getOrDefault("S3_IMAGE", MINIO);
        if (Docker.hasImage(named)) {
            return named;
        }
        System.err.printf(
                "S3PROXY STANDS IN FOR MINIO in these tests: the engine has no %s; 'docker pull' it to test with the real one%n",
                named);
        return Docker.image("s3-stand-in");
    }
}
