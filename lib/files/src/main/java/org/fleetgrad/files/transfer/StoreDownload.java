package org.fleetgrad.files.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.fleetgrad.files.text.ShownAddress;

/**
 * Reads what lies at an address of a store over http or https, such as a presigned one. The answer must come at the minimum rate.
 *
 * <p>No redirect is followed: the store would decide which other services of this network the reader calls. Thread-safe.
 */
public final class StoreDownload {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    /** A store may be silent for one read timeout and some more; after that, bytes must arrive. */
    private static final Duration GRACE_PERIOD = READ_TIMEOUT.multipliedBy(2);

    private final LongSupplier nanoTime;
    private final StalledTransferMonitor monitor;

    /** Measures with the clock of this machine. */
    public StoreDownload() {
        this(System::nanoTime, StalledTransferMonitor.shared());
    }

    /** Measures with a clock of the caller's. */
    public StoreDownload(LongSupplier nanoTime, StalledTransferMonitor monitor) {
        this.nanoTime = nanoTime;
        this.monitor = monitor;
    }

    /**
     * Requests it.
     *
     * @throws IOException if the store cannot be reached, answers another status than 200, or is too slow
     * @throws IllegalArgumentException if the address has another scheme, or no host
     */
    public InputStream open(URI uri) throws IOException {
        if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IllegalArgumentException("only http and https are read, not " + uri.getScheme());
        }
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        connection.setReadTimeout((int) READ_TIMEOUT.toMillis());
        int status = status(connection);
        if (status != HttpURLConnection.HTTP_OK) {
            Optional<String> elsewhere = Optional.ofNullable(connection.getHeaderField("Location"));
            connection.disconnect();
            throw new IOException("the store answered %d%s"
                    .formatted(
                            status,
                            elsewhere
                                    .map(address ->
                                            ", a redirect to %s, and none is followed: give that address instead"
                                                    .formatted(ShownAddress.of(address)))
                                    .orElse("")));
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
}
