package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.checkpoints.CheckpointManifest.FileDigest;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Reads and verifies checkpoints, while a writer may add and delete others. */
final class CheckpointReader {

    /** In the message about a checkpoint that does not exist. */
    private static final int MOST_NAMED = 10;

    private final CheckpointStorage storage;
    private final String location;

    /** @param location the location of the storage, for messages */
    CheckpointReader(CheckpointStorage storage, String location) {
        this.storage = storage;
        this.location = location;
    }

    /** Reads a manifest and checks that its files exist. Empty if the checkpoint was deleted meanwhile. */
    Optional<ListedCheckpoint> inspect(long number, Map<String, Long> files) throws IOException {
        try {
            CheckpointManifest manifest = manifest(number);
            if (!isComplete(manifest, files)) {
                // A listing is not a snapshot: only one that was made after the manifest existed can prove that a file
                // is missing.
                requireComplete(manifest);
            }
            return Optional.of(new ListedCheckpoint.Complete(manifest));
        } catch (CorruptCheckpointException corrupt) {
            return Optional.of(new ListedCheckpoint.Corrupt(number, corrupt.file(), corrupt.reason()));
        } catch (NoSuchFileException deleted) {
            return Optional.empty();
        }
    }

    /** See {@link Checkpoints#read}. */
    Checkpoint read(long number) throws IOException {
        CheckpointName.require(number);
        CheckpointManifest manifest = manifest(number);
        // Checks the lengths first: no array is allocated for a stated length before the file is known to have it.
        requireComplete(manifest);
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
            files.put(file.getKey(), verified(manifest, file.getKey(), file.getValue()));
        }
        return new Checkpoint(
                manifest, parameters(manifest, files.getOrDefault(CheckpointManifest.PARAMETERS, new byte[0])), files);
    }

    private CheckpointManifest manifest(long number) throws IOException {
        byte[] json;
        try (InputStream in = storage.open(number, CheckpointManifest.FILE_NAME)) {
            json = in.readNBytes(ManifestJson.MAX_BYTES + 1);
        } catch (NoSuchFileException missing) {
            throw new NoSuchFileException(
                    CheckpointName.of(number), null, "no such checkpoint in %s; %s".formatted(location, others()));
        }
        try {
            return ManifestJson.decode(json, number);
        } catch (IllegalArgumentException invalid) {
            throw new CorruptCheckpointException(
                    number, CheckpointManifest.FILE_NAME, String.valueOf(invalid.getMessage()), invalid);
        }
    }

    /** Says which checkpoints there are: the newest ones, if there are many. */
    private String others() throws IOException {
        List<Long> there = storage.contents().entrySet().stream()
                .filter(checkpoint -> checkpoint.getValue().containsKey(CheckpointManifest.FILE_NAME))
                .map(Map.Entry::getKey)
                .toList();
        if (there.isEmpty()) {
            return "there is none";
        }
        String newest = there.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        return there.size() <= MOST_NAMED
                ? "there are " + newest
                : "the newest of %d are %s".formatted(there.size(), newest);
    }

    private static boolean isComplete(CheckpointManifest manifest, Map<String, Long> files) {
        return manifest.files().entrySet().stream()
                .allMatch(file -> Long.valueOf(file.getValue().bytes()).equals(files.get(file.getKey())));
    }

    /** Checks that every file exists and has its stated length. */
    private void requireComplete(CheckpointManifest manifest) throws IOException {
        Map<String, Long> files = storage.contents(manifest.number());
        for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
            Long bytes = files.get(file.getKey());
            if (bytes == null) {
                throw missing(manifest, file.getKey());
            }
            if (bytes != file.getValue().bytes()) {
                throw new CorruptCheckpointException(
                        manifest.number(),
                        file.getKey(),
                        "has %d bytes, the manifest states %d"
                                .formatted(bytes, file.getValue().bytes()));
            }
        }
    }

    /**
     * A deletion removes the manifest before the files. So if the manifest exists, a missing file is damage; otherwise
     * the checkpoint was deleted.
     */
    private IOException missing(CheckpointManifest manifest, String file) throws IOException {
        manifest(manifest.number());
        return new CorruptCheckpointException(manifest.number(), file, "is missing");
    }

    private byte[] verified(CheckpointManifest manifest, String file, FileDigest digest) throws IOException {
        if (digest.bytes() > CheckpointFile.MAX_BYTES) {
            throw new CorruptCheckpointException(
                    manifest.number(),
                    file,
                    "has %d bytes, the most that can be read are %d"
                            .formatted(digest.bytes(), CheckpointFile.MAX_BYTES));
        }
        byte[] bytes = new byte[(int) digest.bytes()];
        int read;
        boolean isLonger;
        try (InputStream in = storage.open(manifest.number(), file)) {
            read = in.readNBytes(bytes, 0, bytes.length);
            isLonger = in.read() >= 0;
        } catch (NoSuchFileException gone) {
            throw missing(manifest, file);
        }
        if (read < bytes.length || isLonger) {
            throw new CorruptCheckpointException(
                    manifest.number(),
                    file,
                    "has %s %d bytes, the manifest states %d"
                            .formatted(isLonger ? "more than" : "only", read, bytes.length));
        }
        String sha256 = Sha256.of(ByteBuffer.wrap(bytes));
        if (!sha256.equals(digest.sha256())) {
            throw new CorruptCheckpointException(
                    manifest.number(),
                    file,
                    "has the SHA-256 %s, the manifest states %s".formatted(sha256, digest.sha256()));
        }
        return bytes;
    }

    private static TensorSet parameters(CheckpointManifest manifest, byte[] file) throws CorruptCheckpointException {
        TensorSet parameters;
        try {
            parameters = Safetensors.decode(ByteBuffer.wrap(file), SafetensorsLimits.OWN_FILES);
        } catch (SafetensorsException malformed) {
            throw new CorruptCheckpointException(
                    manifest.number(),
                    CheckpointManifest.PARAMETERS,
                    "is not safetensors: " + malformed.getMessage(),
                    malformed);
        }
        Optional<ParameterVersion> stated = ParameterVersion.of(parameters.metadata());
        if (stated.isPresent() && !stated.get().equals(manifest.parameterVersion())) {
            throw new CorruptCheckpointException(
                    manifest.number(),
                    CheckpointManifest.PARAMETERS,
                    "has version %s, the manifest states %s".formatted(stated.get(), manifest.parameterVersion()));
        }
        return parameters;
    }
}
