package org.fleetgrad.tools.fetch;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.folder.NameFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.tools.Progress;
import org.fleetgrad.tools.fetch.PublishedDataset.PublishedFile;

/** Fetches published datasets into a folder. Blocking; thread-safe for different folders. */
public final class Fetch {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient client;
    private final DownloadRetry retry;
    private final Progress progress;
    private final StalledTransferMonitor monitor;

    /** Prepares to fetch. */
    public Fetch(DownloadRetry retry, Progress progress) {
        this(retry, progress, StalledTransferMonitor.shared());
    }

    Fetch(DownloadRetry retry, Progress progress, StalledTransferMonitor monitor) {
        this.monitor = monitor;
        this.client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
        this.retry = retry;
        this.progress = progress;
    }

    /**
     * Downloads the files that are missing, and writes the dataset's name beside them ({@link NameFile}). A file with the
     * right checksum is unchanged; the {@code .part} of an earlier run is resumed.
     *
     * @param force whether a file with other content is replaced
     * @throws FileAlreadyExistsException if a file with other content is in the way and {@code force} is not set
     * @throws org.fleetgrad.store.RemoteException if the server fails in every attempt, or sends other content
     */
    public List<FetchedFile> fetch(PublishedDataset dataset, Path folder, boolean force) throws IOException {
        Files.createDirectories(folder);
        Optional<String> present = NameFile.read(folder);
        if (present.isPresent() && !present.get().equals(dataset.name()) && !force) {
            throw new FileAlreadyExistsException(
                    folder.resolve(NameFile.FILE_NAME).toString(),
                    null,
                    "and says that the folder has %s, not %s".formatted(present.get(), dataset.name()));
        }
        List<FetchedFile> fetched = new ArrayList<>();
        for (PublishedFile file : dataset.files()) {
            Path target = folder.resolve(file.name());
            boolean isCached = Files.exists(target) && Sha256.of(target).equals(file.sha256());
            if (!isCached) {
                if (Files.exists(target) && !force) {
                    throw new FileAlreadyExistsException(
                            target.toString(), null, "and is not the published file of %s".formatted(dataset.name()));
                }
                new Download(client, retry, monitor, progress, dataset.base(), file, folder).run();
            }
            fetched.add(new FetchedFile(target, file.bytes(), file.sha256(), isCached));
        }
        NameFile.write(folder, dataset.name());
        return fetched;
    }

    /**
     * A complete file whose checksum is right.
     *
     * @param path     of the file
     * @param bytes    its length
     * @param sha256   its SHA-256, as published
     * @param isCached whether it existed already, so that nothing was downloaded
     */
    public record FetchedFile(Path path, long bytes, String sha256, boolean isCached) {}
}
