package org.fleetgrad.checkpoints;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.checkpoints.CheckpointManifest.FileDigest;
import org.fleetgrad.files.DurableFolder;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.RemoteException;

/**
 * The checkpoints of one location.
 *
 * <p>A checkpoint is a folder with files and a manifest. The manifest is written last and deleted first: a folder
 * without a manifest is not a checkpoint, and if the manifest exists, all files exist. Only one process may write to a
 * location at a time; any number of processes may read meanwhile. Thread-safe: writes and deletions exclude each other,
 * reads never wait. Calls block until the disk or the service is done. A failure of the service is a
 * {@link RemoteException}.
 */
public final class Checkpoints implements Closeable {

    private static final FileDigest NOT_DIGESTED_YET = new FileDigest(0, "0".repeat(64));

    private final ObjectStore store;
    private final CheckpointStorage storage;
    private final CheckpointReader reader;
    private final String shownLocation;
    private boolean isBucketThere;

    Checkpoints(ObjectStore store, String prefix, String shownLocation) {
        this.store = store;
        this.storage = new CheckpointStorage(store, prefix);
        this.reader = new CheckpointReader(storage, shownLocation);
        this.shownLocation = shownLocation;
    }

    /**
     * Opens a location. Creates the folder if it is missing; sends nothing to an S3 service yet.
     *
     * @throws UncheckedIOException if the folder cannot be created
     */
    public static Checkpoints open(CheckpointLocation location) {
        Optional<Path> folder = location.folder();
        if (folder.isPresent()) {
            try {
                DurableFolder.create(folder.get());
            } catch (IOException failed) {
                throw new UncheckedIOException("the folder of checkpoints cannot be created:  " + failed, failed);
            }
        }
        return new Checkpoints(location.place().open(), location.place().namePrefix(), location.toString());
    }

    /** Lists the checkpoints, newest (highest number) first. Folders without a manifest are left out. */
    public List<ListedCheckpoint> list() throws IOException {
        return list(storage.contents());
    }

    private List<ListedCheckpoint> list(Map<Long, Map<String, Long>> contents) throws IOException {
        List<ListedCheckpoint> listed = new ArrayList<>();
        for (Map.Entry<Long, Map<String, Long>> checkpoint : contents.entrySet()) {
            if (isCheckpoint(checkpoint.getValue())) {
                reader.inspect(checkpoint.getKey(), checkpoint.getValue()).ifPresent(listed::add);
            }
        }
        return listed;
    }

    /**
     * Writes the next checkpoint: its files in their order, each fsynced, then the manifest. If the write fails or the
     * process dies, the checkpoint is not listed, and the next write or {@link #retain} deletes the remains.
     *
     * @param version the version of the parameters
     * @param now     the time for the manifest
     * @param notes   strings for people; see {@link CheckpointManifest}
     * @param files   {@link CheckpointManifest#PARAMETERS} and all other files needed to continue; read until this call
     *     returns
     * @throws IllegalArgumentException when the parameters are missing, a name is used twice, or the notes are too long
     */
    public synchronized CheckpointManifest write(
            ParameterVersion version, Instant now, Map<String, String> notes, List<CheckpointFile> files)
            throws IOException {
        Map<String, FileDigest> digests = new LinkedHashMap<>();
        for (CheckpointFile file : files) {
            if (digests.put(file.name(), NOT_DIGESTED_YET) != null) {
                throw new IllegalArgumentException("a checkpoint has two files named '%s'".formatted(file.name()));
            }
        }
        if (!isBucketThere) {
            store.createBucketIfMissing();
            isBucketThere = true;
        }
        Map<Long, Map<String, Long>> contents = storage.contents();
        long number = 1 + newest(contents);
        // Encodes before anything is written, so that a manifest that cannot be written fails without leaving files.
        ManifestJson.encode(manifest(number, version, now, notes, digests));
        deleteUnfinished(contents);
        try {
            for (CheckpointFile file : files) {
                digests.put(file.name(), storage.put(number, file.name(), file.bytes(), file.content()));
            }
            CheckpointManifest manifest = manifest(number, version, now, notes, digests);
            byte[] json = ManifestJson.encode(manifest);
            storage.put(number, CheckpointManifest.FILE_NAME, json.length, out -> out.write(json));
            return manifest;
        } catch (RemoteException failed) {
            throw failed;
        } catch (IOException failed) {
            throw new IOException(
                    "%s cannot be written to %s: %s"
                            .formatted(CheckpointName.of(number), shownLocation, failed.getMessage()),
                    failed);
        }
    }

    /**
     * Reads a checkpoint and verifies every byte.
     *
     * @throws NoSuchFileException        if there is no checkpoint of this number, or it is deleted meanwhile
     * @throws CorruptCheckpointException if a file is missing or differs from the manifest
     */
    public Checkpoint read(long number) throws IOException {
        return reader.read(number);
    }

    /**
     * Deletes all but the newest {@code count} complete checkpoints, and the remains of unfinished writes. A corrupt
     * checkpoint is deleted once {@code count} newer ones are complete; until then it is retained for inspection.
     *
     * @return the complete checkpoints that were deleted, newest first
     */
    public synchronized List<CheckpointManifest> retain(int count) throws IOException {
        if (count < 1) {
            throw new IllegalArgumentException("the number of checkpoints to keep must be 1 or more; it is " + count);
        }
        Map<Long, Map<String, Long>> contents = storage.contents();
        deleteUnfinished(contents);
        List<ListedCheckpoint> doomed = new ArrayList<>();
        int kept = 0;
        for (ListedCheckpoint checkpoint : list(contents)) {
            if (kept == count) {
                doomed.add(checkpoint);
            } else if (checkpoint instanceof ListedCheckpoint.Complete) {
                kept++;
            }
        }
        // Deletes the oldest first: if the process dies in between, the remaining checkpoints have no gap.
        for (int i = doomed.size() - 1; i >= 0; i--) {
            long number = doomed.get(i).number();
            delete(number, contents.getOrDefault(number, Map.of()));
        }
        return doomed.stream()
                .filter(ListedCheckpoint.Complete.class::isInstance)
                .map(complete -> ((ListedCheckpoint.Complete) complete).manifest())
                .toList();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }

    private static CheckpointManifest manifest(
            long number,
            ParameterVersion version,
            Instant now,
            Map<String, String> notes,
            Map<String, FileDigest> digests) {
        return new CheckpointManifest(number, version.generation(), version.version(), now, notes, digests);
    }

    private static long newest(Map<Long, Map<String, Long>> contents) {
        return contents.entrySet().stream()
                .filter(checkpoint -> isCheckpoint(checkpoint.getValue()))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(0);
    }

    private static boolean isCheckpoint(Map<String, Long> files) {
        return files.containsKey(CheckpointManifest.FILE_NAME);
    }

    private void deleteUnfinished(Map<Long, Map<String, Long>> contents) throws IOException {
        // A write reuses the same number until its checkpoint is complete, so only the next number can be unfinished.
        storage.deleteUnfinished(1 + newest(contents));
        for (Map.Entry<Long, Map<String, Long>> checkpoint : contents.entrySet()) {
            if (!isCheckpoint(checkpoint.getValue())) {
                delete(checkpoint.getKey(), checkpoint.getValue());
            }
        }
    }

    /** INVARIANT: if the manifest exists, all other files exist; so the manifest is deleted first. */
    private void delete(long number, Map<String, Long> files) throws IOException {
        storage.delete(number, CheckpointManifest.FILE_NAME);
        for (String file : files.keySet()) {
            storage.delete(number, file);
        }
    }
}
