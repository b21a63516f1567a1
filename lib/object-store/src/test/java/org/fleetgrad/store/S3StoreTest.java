package org.fleetgrad.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class S3StoreTest extends ObjectStoreContract {

    private static final LocalS3 SERVICE = new LocalS3();
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    private final String bucket = "datasets-" + BUCKETS.incrementAndGet();

    @Override
    ObjectStore openEmpty(Path scratch) throws IOException {
        S3Store store = store(bucket, LocalS3.CREDENTIALS);
        store.createBucketIfMissing();
        return store;
    }

    @AfterAll
    static void stopService() {
        SERVICE.close();
    }

    @Test
    void shouldFindItsBucketMadeAlready() throws IOException {
        try (S3Store again = store(bucket, LocalS3.CREDENTIALS)) {
            again.createBucketIfMissing();

            assertThat(again.list("")).isEmpty();
        }
    }

    @Test
    void shouldSignTheAddressForTheGivenTime() throws IOException {
        try (S3Store store = store(bucket, LocalS3.CREDENTIALS)) {
            store.put(new ObjectName("a"), Path.of("pom.xml"));

            assertThat(store.presign(new ObjectName("a"), Duration.ofHours(2)).getQuery())
                    .contains("X-Amz-Expires=7200")
                    .contains("X-Amz-Signature=")
                    .doesNotContain(LocalS3.CREDENTIALS.secretKey());
        }
    }

    /** The address is valid only for the host name that it was signed for. */
    @Test
    void shouldSignTheAddressForTheHostWhereItsReadersSeeTheService() throws IOException {
        URI seen = URI.create("http://localhost:" + SERVICE.endpoint().getPort());
        try (S3Store store =
                new S3Store(SERVICE.endpoint(), seen, S3Store.DEFAULT_REGION, bucket, LocalS3.CREDENTIALS)) {
            store.put(new ObjectName("a"), 3, out -> out.write(new byte[3]));

            URI signed = store.presign(new ObjectName("a"), Duration.ofHours(2));

            assertThat(signed.getHost()).isEqualTo("localhost");
            assertThat(signed.toURL().openStream().readAllBytes()).hasSize(3);
            URI elsewhere = URI.create(signed.toString().replace("localhost", "127.0.0.1"));
            assertThatThrownBy(() -> elsewhere.toURL().openStream()).hasMessageContaining("403");
        }
    }

    @Test
    void shouldSayThatTheBucketIsMissing() throws IOException {
        try (S3Store store = store("nowhere", LocalS3.CREDENTIALS)) {
            assertThatThrownBy(() -> store.list(""))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageStartingWith(SERVICE.endpoint() + " refused to list (bucket nowhere): ")
                    .hasMessageEndingWith("(NoSuchBucket); check the bucket and the keys");
        }
    }

    @Test
    void shouldNotTellTheSecretWhenTheKeysAreWrong() throws IOException {
        S3Credentials wrong = new S3Credentials("local-access", "not-the-secret");
        try (S3Store store = store(bucket, wrong)) {
            assertThatThrownBy(() -> store.list(""))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("(SignatureDoesNotMatch)")
                    .hasMessageNotContaining("not-the-secret");
        }
        assertThat(wrong).hasToString("S3Credentials[accessKey=local-access]");
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        URI nobody = URI.create("http://127.0.0.1:" + port);
        try (S3Store store = new S3Store(nobody, S3Store.DEFAULT_REGION, "datasets", LocalS3.CREDENTIALS)) {
            assertThatThrownBy(store::createBucketIfMissing)
                    .isInstanceOf(RemoteException.class)
                    .hasMessageStartingWith(
                            nobody + " did not answer when asked to create the bucket if missing (bucket datasets): ")
                    .hasMessageEndingWith("; check the endpoint and the network");
        }
    }

    @Test
    void shouldRefuseBadBucketsEndpointsAndKeysBeforeSending() {
        assertThatThrownBy(() -> store("NOT A BUCKET", LocalS3.CREDENTIALS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new S3Store(URI.create("ftp://x/y"), S3Store.DEFAULT_REGION, "datasets", LocalS3.CREDENTIALS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new S3Credentials("", "x"))
                .hasMessage("the access key and the secret key must not be empty");
    }

    private static S3Store store(String bucket, S3Credentials credentials) {
        return new S3Store(SERVICE.endpoint(), S3Store.DEFAULT_REGION, bucket, credentials);
    }
}
