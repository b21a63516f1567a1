package org.fleetgrad.worker.data;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.files.RegularFile;
import org.fleetgrad.files.text.ShownAddress;
import org.fleetgrad.files.transfer.StoreDownload;

/**
 * Fetches the shard that an activation was given: over http(s), as from a presigned URL, or from a file.
 *
 * <p>Nothing is cached between activations, so a warm container cannot train on the shard of a previous activation.
 */
public final class ShardSource {

    /**
     * A shard and its size.
     *
     * @param shard the samples with their description
     * @param bytes size of the archive
     */
    public record Fetched(Shard shard, long bytes) {}

    private final ShardLimits limits;
    private final StoreDownload store;

    /** Prepares to fetch shards within {@code limits}. */
    public ShardSource(ShardLimits limits) {
        this(limits, new StoreDownload());
    }

    ShardSource(ShardLimits limits, StoreDownload store) {
        this.limits = limits;
        this.store = store;
    }

    /**
     * Fetches and checks a shard.
     *
     * @throws ShardUnavailableException when the address is wrong, nothing is there, or the file is not a shard; the
     *     message never has the user and the query of the address, which in a presigned URL is a secret
     */
    public Fetched fetch(String address) throws ShardUnavailableException {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException malformed) {
            // Without the cause: it quotes the whole address.
            throw new ShardUnavailableException("dataset_url is not an address: " + ShownAddress.of(address), null);
        }
        try (CountingInputStream in = new CountingInputStream(open(uri))) {
            Shard shard = ShardArchive.read(in, limits);
            return new Fetched(shard, in.count());
        } catch (InvalidShardException invalid) {
            throw new ShardUnavailableException(
                    "%s is not a shard: %s".formatted(ShownAddress.of(address), invalid.getMessage()), invalid);
        } catch (IOException unreachable) {
            throw new ShardUnavailableException(
                    "%s could not be read: %s".formatted(ShownAddress.of(address), describe(unreachable)), unreachable);
        }
    }

    private InputStream open(URI uri) throws IOException {
        try {
            return switch (uri.getScheme() == null ? "" : uri.getScheme()) {
                case "" -> RegularFile.open(Path.of(uri.getPath()));
                case "file" -> RegularFile.open(Path.of(uri));
                case "http", "https" -> store.open(uri);
                default -> throw new IOException("only http, https and file are read, not " + uri.getScheme());
            };
        } catch (IllegalArgumentException wrongForm) {
            // The JDK throws this for a file's address with a host, or an http address without one.
            throw new IOException(wrongForm.getMessage(), wrongForm);
        }
    }

    private static String describe(IOException failure) {
        // Many messages of the JDK are only the path; the exception's type says what is wrong. Some quote the address.
        String message = failure.getMessage();
        return failure.getClass().getSimpleName()
                + (message == null ? "" : " " + message.replaceFirst("(?s)\\?.*", ""));
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
