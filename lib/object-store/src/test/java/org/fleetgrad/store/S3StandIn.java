package org.fleetgrad.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/**
 * An S3 service over a folder, with MinIO's command line, keys, port and health check, for machines without MinIO's
 * image. The image {@code docker/s3-stand-in} runs it.
 */
public final class S3StandIn {

    private static final String PROVIDER = "filesystem-nio2";
    private static final String FOLDER = "jclouds.filesystem.basedir";
    private static final int WRONG_ARGUMENTS = 2;

    private S3StandIn() {}

    /** Serves until it is stopped. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2 || !arguments[0].equals("server")) {
            System.err.println("usage: server FOLDER");
            System.exit(WRONG_ARGUMENTS);
        }
        Path folder = Path.of(arguments[1]);
        answerHealth(folder);
        Map<String, String> environment = System.getenv();
        Properties properties = new Properties();
        properties.setProperty(FOLDER, folder.toString());
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(BlobStores.create(PROVIDER, properties))
                .endpoint(URI.create("http://0.0.0.0:9000"))
                .awsAuthentication(
                        AuthenticationType.AWS_V2_OR_V4,
                        environment.getOrDefault("MINIO_ROOT_USER", "minioadmin"),
                        environment.getOrDefault("MINIO_ROOT_PASSWORD", "minioadmin"))
                .build();
        proxy.start();
        System.out.println("This is S3Proxy in MinIO's place, at port 9000");
    }

    /** Puts an object that everybody may read at {@code /minio/health/cluster}, the path of MinIO's health check. */
    private static void answerHealth(Path folder) throws IOException {
        Path health = Files.createDirectories(folder.resolve("minio").resolve("health"));
        Path answer = Files.write(health.resolve("cluster"), new byte[0]);
        Files.setPosixFilePermissions(answer, PosixFilePermissions.fromString("rw-r--r--"));
    }
}
