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

/** Keeps objects in a bucket of an S3 service, such as MinIO. */
public final class S3Store implements ObjectStore {

    /** S3's own default; services that know no regions take any. Stated, so that nothing has to be asked for it. */
    public static final String DEFAULT_REGION = "us-east-1";

    /** Small content goes in one request, large in as few parts as S3 allows. */
    private static final long PART_SIZE_OF_THE_SDK = -1;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
    /** As long as not a byte may move: a service that is gone without a word, such as a killed container, says nothing else. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final MinioClient client;
    private final MinioClient signer;
    private final URI endpoint;
    private final String bucket;

    /**
     * Prepares to use a bucket; nothing is sent yet.
     *
     * @throws IllegalArgumentException when the endpoint is not an http or https address, or the bucket's name is not
     *     one that S3 allows
     */
    public S3Store(URI endpoint, String region, String bucket, Credentials credentials) {
        this(endpoint, endpoint, region, bucket, credentials);
    }

    /**
     * Prepares to use a bucket whose presigned addresses are for others, who see the service elsewhere: a signature counts
     * for one host name only.
     *
     * @param endpoint the service, as this machine sees it
     * @param seen     the service, as readers of presigned addresses see it; it is not asked for anything
     */
    public S3Store(URI endpoint, URI seen, String region, String bucket, Credentials credentials) {
        this.client = client(endpoint, region, credentials);
        this.signer = seen.equals(endpoint) ? client : client(seen, region, credentials);
        this.endpoint = endpoint;
        this.bucket = bucket;
        // The arguments check the name, now rather than at first use.
        BucketExistsArgs.builder().bucket(bucket).build();
    }

    private static MinioClient client(URI endpoint, String region, Credentials credentials) {
        MinioClient.Builder builder = MinioClient.builder()
                .endpoint(endpoint.toString())
                .region(region)
                .credentials(credentials.accessKey(), credentials.secretKey());
        if ("http".equals(endpoint.getScheme())) {
            // The SDK's own client reads every certificate that SSL_CERT_DIR names, which takes seconds and is for
            // https.
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
            // Nobody reads a request's empty body, so nobody would see that its content fails.
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

    /** Where the content failed, that is the reason, and the request's failure its consequence. */
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

    /** Does nothing: a service keeps no part of a put that was cut off, or drops the parts by its own rules. */
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

    /** Runs a request; {@code target} is the object that it is about, or empty. */
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
            // The SDK wraps a failed connection in either; what has no I/O at its root is a mistake here or there.
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
