package org.fleetgrad.worker.data;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.files.transfer.RateCheckedInputStream;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.files.transfer.TransferRate;

/**
 * Fetches the shard that an activation was given: over http(s), as from a presigned URL, or from a file.
 *
 * <p>Nothing is cached between activations, so a warm container cannot train on the shard of a previous activation.
 */
public final class ShardSource {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    /** A store may be silent for one read timeout and some more; after that, bytes must arrive. */
    private static final Duration GRACE_PERIOD = READ_TIMEOUT.multipliedBy(2);

    /**
     * A shard and its size.
     *
     * @param shard the samples with their description
     * @param bytes size of the archive
     */
    public record Fetched(Shard shard, long bytes) {}

    private final ShardLimits limits;
    private final LongSupplier nanoTime;
    private final StalledTransferMonitor monitor;

    /** Prepares to fetch shards within {@code limits}. */
    public ShardSource(ShardLimits limits) {
        this(limits, System::nanoTime, StalledTransferMonitor.shared());
    }

    ShardSource(ShardLimits limits, LongSupplier nanoTime, StalledTransferMonitor monitor) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.monitor = monitor;
    }

    /**
     * Fetches and checks a shard.
     *
     * @throws ShardUnavailableException when the address is wrong, nothing is there, or the file is not a shard; the
     *     message never holds the query of the address, which in a presigned URL is a secret
     */
    public Fetched fetch(String address) throws ShardUnavailableException {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException malformed) {
            // Without the cause: it quotes the whole address.
            throw new ShardUnavailableException("dataset_url is not an address: " + withoutQuery(address), null);
        }
        try (CountingInputStream in = new CountingInputStream(open(uri))) {
            Shard shard = ShardArchive.read(in, limits);
            return new Fetched(shard, in.count());
        } catch (InvalidShardException invalid) {
            throw new ShardUnavailableException(
                    "%s is not a shard: %s".formatted(withoutQuery(address), invalid.getMessage()), invalid);
        } catch (IOException unreachable) {
            throw new ShardUnavailableException(
                    "%s could not be read: %s".formatted(withoutQuery(address), describe(unreachable)), unreachable);
        }
    }

    private InputStream open(URI uri) throws IOException {
        try {
            return switch (uri.getScheme() == null ? "" : uri.getScheme()) {
                case "" -> Files.newInputStream(Path.of(uri.getPath()));
                case "file" -> Files.newInputStream(Path.of(uri));
                case "http", "https" -> openHttp(uri);
                default -> throw new IOException("only http, https and file are read, not " + uri.getScheme());
            };
        } catch (IllegalArgumentException wrongForm) {
            // The JDK throws this for a file's address with a host, or an http address without one.
            throw new IOException(wrongForm.getMessage(), wrongForm);
        }
    }

    private InputStream openHttp(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        connection.setReadTimeout((int) READ_TIMEOUT.toMillis());
        int status = status(connection);
        if (status != HttpURLConnection.HTTP_OK) {
            throw new IOException("the store answered %d".formatted(status));
        }
        return new RateCheckedInputStream(connection.getInputStream(), new TransferRate(GRACE_PERIOD, nanoTime));
    }

    /**
     * Returns the status. A response head may arrive as slowly as a body, and the read of it blocks without a check in between.
     */
    private int status(HttpURLConnection connection) throws IOException {
        try (StalledTransferMonitor.Transfer head = monitor.begin(GRACE_PERIOD, connection::disconnect)) {
            int status = connection.getResponseCode();
            if (head.isEnded()) {
                // The JDK defers the failure to the read of the body.
                throw head.rate().tooSlow();
            }
            return status;
        }
    }

    private static String withoutQuery(String address) {
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query);
    }

    private static String describe(IOException failure) {
        // Many messages of the JDK are only the path; the exception's type says what is wrong.
        String message = failure.getMessage();
        return failure.getClass().getSimpleName() + (message == null ? "" : " " + withoutQuery(message));
    }

    private static final class CountingInputStream extends FilterInputStream {

        private long count;

        CountingInputStream(InputStream in) {
            super(in);
        }

        long count() {
            return count;
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            count += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = in.read(buffer, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
