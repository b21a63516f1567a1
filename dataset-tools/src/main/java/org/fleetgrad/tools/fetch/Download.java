package org.fleetgrad.tools.fetch;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.text.ShownAddress;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.store.RemoteException;
import org.fleetgrad.tools.Progress;
import org.fleetgrad.tools.fetch.PublishedDataset.PublishedFile;

/**
 * Downloads one file of known length and checksum. Data is written to {@code NAME.part}; a later attempt or run resumes it
 * by a Range request. When it is complete and its checksum is right, it is renamed.
 */
final class Download {

    private static final int CHUNK_BYTES = 1 << 16;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient client;
    private final DownloadRetry retry;
    private final StalledTransferMonitor monitor;
    private final Progress progress;
    private final URI base;
    private final String source;
    private final PublishedFile file;
    private final Path target;
    private final Path part;

    Download(
            HttpClient client,
            DownloadRetry retry,
            StalledTransferMonitor monitor,
            Progress progress,
            URI base,
            PublishedFile file,
            Path folder) {
        this.client = client;
        this.retry = retry;
        this.monitor = monitor;
        this.progress = progress;
        this.base = base;
        this.source = ShownAddress.of(base.resolve(file.name()).toString());
        this.file = file;
        this.target = folder.resolve(file.name());
        this.part = folder.resolve(file.name() + ".part");
    }

    /** An attempt failed, and another may succeed. */
    private static final class TransientException extends IOException {

        private static final long serialVersionUID = 1L;

        TransientException(String message) {
            super(message);
        }
    }

    void run() throws IOException {
        progress.begin(file.name(), file.bytes(), "B");
        Backoff backoff = retry.backoff();
        try {
            for (int attempt = 1; !isWhole(); attempt++) {
                try {
                    attempt();
                } catch (RemoteException permanent) {
                    throw permanent;
                } catch (IOException failed) {
                    if (attempt >= retry.attempts()) {
                        throw new RemoteException(
                                "%s: %d attempts failed, the last with: %s; %d of %d bytes are kept; run the command again to resume"
                                        .formatted(source, attempt, describe(failed), partBytes(), file.bytes()),
                                failed);
                    }
                    retry.sleeper().sleep(backoff.next());
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the download of %s was interrupted".formatted(source));
        } finally {
            progress.end();
        }
        publish();
    }

    private void attempt() throws IOException, InterruptedException {
        long have = partBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(file.name()))
                .timeout(ANSWER_TIMEOUT)
                .GET();
        if (have > 0) {
            request.header("Range", "bytes=%d-".formatted(have));
        }
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            switch (response.statusCode()) {
                case 200 -> receive(body, 0);
                case 206 -> {
                    String range =
                            response.headers().firstValue("Content-Range").orElse("none");
                    if (have == 0 || !range.startsWith("bytes %d-".formatted(have))) {
                        throw new RemoteException(
                                "%s: asked for the bytes from %d on, the server sent Content-Range %s; "
                                                .formatted(source, have, range)
                                        + "use another mirror with --base-url");
                    }
                    receive(body, have);
                }
                case 416 -> {
                    Files.deleteIfExists(part);
                    throw new TransientException("HTTP 416 for the bytes from %d on".formatted(have));
                }
                case 408, 429, 500, 502, 503, 504 -> throw new TransientException("HTTP " + response.statusCode());
                default ->
                    throw new RemoteException(
                            "%s: the server answered HTTP %d; check the address, or use another mirror with --base-url"
                                    .formatted(source, response.statusCode()));
            }
        }
    }

    /** Writes the body from byte {@code from} on; after a failure, the bytes received so far are retained. */
    private void receive(InputStream body, long from) throws IOException {
        try (FileChannel channel = from == 0 ? truncated() : FileChannel.open(part, APPEND);
                StalledTransferMonitor.Transfer transfer = monitor.begin(ANSWER_TIMEOUT, () -> close(body))) {
            // The timeout of the request ends with the head of the answer.
            transfer.rate().limitSilence(ANSWER_TIMEOUT);
            long have = from;
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int read = read(body, chunk, transfer); read >= 0; read = read(body, chunk, transfer)) {
                have += read;
                if (have > file.bytes()) {
                    channel.truncate(0);
                    throw new RemoteException(
                            "%s: the server sent more than the %d bytes of the published file; use another mirror with --base-url"
                                    .formatted(source, file.bytes()));
                }
                ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, read);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                progress.reach(have);
            }
            channel.force(true);
            if (have < file.bytes()) {
                throw new TransientException("the body ended after %d of %d bytes".formatted(have, file.bytes()));
            }
        }
    }

    private static int read(InputStream body, byte[] chunk, StalledTransferMonitor.Transfer transfer)
            throws IOException {
        try {
            int read = body.read(chunk);
            transfer.rate().count(Math.max(0, read));
            return read;
        } catch (IOException broken) {
            throw transfer.isEnded() ? transfer.rate().tooSlow() : broken;
        }
    }

    /** Ends a read of another thread. */
    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException broken) {
            // The read ends anyway.
        }
    }

    private FileChannel truncated() throws IOException {
        return FileChannel.open(part, CREATE, WRITE, TRUNCATE_EXISTING);
    }

    private void publish() throws IOException {
        String actual = Sha256.of(part);
        if (!actual.equals(file.sha256())) {
            Files.delete(part);
            throw new RemoteException(
                    "%s: the file has SHA-256 %s, the published file SHA-256 %s; use another mirror with --base-url"
                            .formatted(source, actual, file.sha256()));
        }
        Files.move(part, target, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    /** Returns whether all bytes are received; deletes a part that is longer than the file. */
    private boolean isWhole() throws IOException {
        if (partBytes() > file.bytes()) {
            Files.delete(part);
        }
        return partBytes() == file.bytes();
    }

    private long partBytes() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }

    private static String describe(IOException failed) {
        String message = failed.getMessage();
        return message == null ? failed.getClass().getSimpleName() : message;
    }
}
