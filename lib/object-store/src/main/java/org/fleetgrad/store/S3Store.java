package org.fleetgrad.store;

import io.minio.BucketExistsArgs;
import io.minio.GetObjectArgs;
import io.minio.GetPresignedObjectUrlArgs;
import io.minio.Http;
import io.minio.ListObjectsArgs;
import io.minio.MakeBucketArgs;
import io.minio.MinioClient;
import io.minio.PutObjectArgs;
import io.minio.RemoveObjectArgs;
import io.minio.Result;
import io.minio.StatObjectArgs;
import io.minio.UploadObjectArgs;
import io.minio.errors.ErrorResponseException;
import io.minio.errors.MinioException;
import io.minio.messages.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import okhttp3.OkHttpClient;
import org.fleetgrad.files.Content;

/** Stores objects in a bucket of an S3 service, such as MinIO. */
public final class S3Store implements ObjectStore {

    /**
     * S3's own default; services without regions accept any. Set explicitly, so that the SDK does not query the service.
     */
    public static final String DEFAULT_REGION = "us-east-1";

    /** Lets the SDK choose: small content is sent in one request, large content in as few parts as S3 allows. */
    private static final long PART_SIZE_OF_THE_SDK = -1;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
    /**
     * The longest time without a transferred byte. A service that disappears without closing its connections, such as a
     * killed container, is noticed only by this limit.
     */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final MinioClient client;
    private final MinioClient signer;
    private final URI endpoint;
    private final String bucket;

    /**
     * Makes a store for a bucket; sends nothing yet.
     *
     * @throws IllegalArgumentException if the endpoint is not an http or https address, or S3 does not allow the
     *     bucket's name
     */
    public S3Store(URI endpoint, String region, String bucket, S3Credentials credentials) {
        this(endpoint, endpoint, region, bucket, credentials);
    }

    /**
     * Makes a store for a bucket whose presigned addresses are for other machines, which know the service under another
     * address: a signature is valid for one host name only.
     *
     * @param endpoint the address of the service for this machine
     * @param seen     the address of the service for readers of presigned addresses; this machine does not connect to
     *     it
     */
    public S3Store(URI endpoint, URI seen, String region, String bucket, S3Credentials credentials) {
        this.client = client(endpoint, region, credentials);
        this.signer = seen.equals(endpoint) ? client : client(seen, region, credentials);
        this.endpoint = endpoint;
        this.bucket = bucket;
        // Building the arguments checks the name now instead of at first use.
        BucketExistsArgs.builder().bucket(bucket).build();
    }

    private static MinioClient client(URI endpoint, String region, S3Credentials credentials) {
        MinioClient.Builder builder = MinioClient.builder()
                .endpoint(endpoint.toString())
                .region(region)
                .credentials(credentials.accessKey(), credentials.secretKey());
        if ("http".equals(endpoint.getScheme())) {
            // The SDK's default client reads all certificates in SSL_CERT_DIR, which takes seconds and is needed for
            // https only.
            builder.httpClient(new OkHttpClient(), true);
        }
        MinioClient client = builder.build();
        client.setTimeout(CONNECT_TIMEOUT.toMillis(), SILENCE.toMillis(), SILENCE.toMillis());
        return client;
    }

    @Override
    public void createBucketIfMissing() throws IOException {
        call("create the bucket if missing", () -> {
            if (!client.bucketExists(BucketExistsArgs.builder().bucket(bucket).build())) {
                client.makeBucket(MakeBucketArgs.builder().bucket(bucket).build());
            }
            return bucket;
        });
    }

    @Override
    public String bucket() {
        return bucket;
    }

    @Override
    public void put(ObjectName name, Path file) throws IOException {
        call(
                "put",
                name.text(),
                () -> client.uploadObject(UploadObjectArgs.builder()
                        .bucket(bucket)
                        .object(name.text())
                        .filename(file.toString())
                        .build()));
    }

    @Override
    public void put(ObjectName name, long bytes, Content content) throws IOException {
        ExactContent exact = new ExactContent(name, bytes, content);
        if (bytes == 0) {
            // The SDK does not read the content of an empty request, so it would not notice a failure of the content.
            exact.writeTo(OutputStream.nullOutputStream());
        }
        try (ContentPipe pipe = new ContentPipe(name.text(), exact)) {
            try {
                call(
                        "put",
                        name.text(),
                        () -> client.putObject(PutObjectArgs.builder().bucket(bucket).object(name.text()).stream(
                                        pipe.in(), bytes, PART_SIZE_OF_THE_SDK)
                                .build()));
            } catch (IOException | RuntimeException failed) {
                throw contentFailure(pipe, failed);
            }
        }
    }

    /** If the content failed, that is the cause, and the failure of the request only its consequence. */
    private static IOException contentFailure(ContentPipe pipe, Exception failed) {
        Exception first = pipe.failure().orElse(failed);
        if (first != failed) {
            first.addSuppressed(failed);
        }
        if (first instanceof RuntimeException mistake) {
            throw mistake;
        }
        return (IOException) first;
    }

    @Override
    public InputStream get(ObjectName name) throws IOException {
        return call(
                "get",
                name.text(),
                () -> client.getObject(GetObjectArgs.builder()
                        .bucket(bucket)
                        .object(name.text())
                        .build()));
    }

    @Override
    public List<StoredObject> list(String prefix) throws IOException {
        return call("list", () -> {
            List<StoredObject> objects = new ArrayList<>();
            ListObjectsArgs args = ListObjectsArgs.builder()
                    .bucket(bucket)
                    .prefix(prefix)
                    .recursive(true)
                    .build();
            for (Result<Item> item : client.listObjects(args)) {
                objects.add(new StoredObject(item.get().objectName(), item.get().size()));
            }
            objects.sort(Comparator.comparing(StoredObject::name));
            return objects;
        });
    }

    @Override
    public void delete(ObjectName name) throws IOException {
        call("delete", name.text(), () -> {
            client.removeObject(RemoveObjectArgs.builder()
                    .bucket(bucket)
                    .object(name.text())
                    .build());
            return bucket;
        });
    }

    /** Does nothing: the service stores no part of an interrupted put, or deletes the parts by its own rules. */
    @Override
    public void deleteUnfinished(String prefix) {}

    @Override
    public URI presign(ObjectName name, Duration expiry) throws IOException {
        int seconds = PresignExpiry.seconds(expiry);
        return call("presign", name.text(), () -> {
            client.statObject(
                    StatObjectArgs.builder().bucket(bucket).object(name.text()).build());
            return URI.create(signer.getPresignedObjectUrl(GetPresignedObjectUrlArgs.builder()
                    .method(Http.Method.GET)
                    .bucket(bucket)
                    .object(name.text())
                    .expiry(seconds)
                    .build()));
        });
    }

    @Override
    public void close() throws IOException {
        try {
            client.close();
            signer.close();
        } catch (IOException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IOException("the S3 client did not close: " + failed.getMessage(), failed);
        }
    }

    @FunctionalInterface
    private interface Call<T> {
        T run() throws MinioException;
    }

    private <T> T call(String what, Call<T> call) throws IOException {
        return call(what, "", call);
    }

    /** Runs a request; {@code target} is the object's name, or empty. */
    private <T> T call(String what, String target, Call<T> call) throws IOException {
        String request = (what + " " + target).strip();
        try {
            return call.run();
        } catch (ErrorResponseException refused) {
            String code = refused.errorResponse().code();
            if (code.equals("NoSuchKey")) {
                throw new NoSuchFileException(target, null, "no such object in the bucket " + bucket);
            }
            throw new RemoteException(
                    "%s refused to %s (bucket %s): %s (%s); check the bucket and the keys"
                            .formatted(
                                    endpoint,
                                    request,
                                    bucket,
                                    refused.errorResponse().message(),
                                    code),
                    refused);
        } catch (MinioException | IllegalStateException failed) {
            Throwable root = rootCause(failed);
            // The SDK wraps a failed connection in either exception; without an IOException at the root it is a bug,
            // not a network failure.
            if (failed instanceof IllegalStateException mistake && !(root instanceof IOException)) {
                throw mistake;
            }
            throw new RemoteException(
                    "%s did not answer when asked to %s (bucket %s): %s; check the endpoint and the network"
                            .formatted(endpoint, request, bucket, root.getMessage()),
                    failed);
        }
    }

    private static Throwable rootCause(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
