package org.fleetgrad.checkpoints;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * The contents of a checkpoint. The manifest is written last: if it exists, the checkpoint is complete.
 *
 * @param number     from 1; each checkpoint of a location has the next number, whatever its version
 * @param generation the history that the parameters belong to
 * @param version    steps applied since it began
 * @param written    time of writing
 * @param notes      strings for people, such as network, dataset, mode, optimizer, samples, loss, accuracy, and
 *     {@link #SYNCHRONOUS}; ordered
 * @param files      all other files by name, including {@link #PARAMETERS}; ordered
 */
public record CheckpointManifest(
        long number,
        String generation,
        long version,
        Instant written,
        Map<String, String> notes,
        Map<String, FileDigest> files) {

    /** The name of the manifest's own file. */
    public static final String FILE_NAME = "manifest.json";

    /** The file that every checkpoint has: the parameter set. */
    public static final String PARAMETERS = "parameters.safetensors";

    /** The note that says whether the run accepted gradients on the newest version only: {@code true} or {@code false}. */
    public static final String SYNCHRONOUS = "synchronous";

    static final int MAX_FILES = 100;

    public CheckpointManifest {
        CheckpointName.require(number);
        ParameterVersion checked = new ParameterVersion(generation, version);
        generation = checked.generation();
        Objects.requireNonNull(written, "written");
        notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        notes.forEach((key, value) -> Objects.requireNonNull(value, key));
        files.forEach((name, digest) -> {
            CheckpointFile.requireName(name);
            Objects.requireNonNull(digest, name);
        });
        if (!files.containsKey(PARAMETERS) || files.size() > MAX_FILES) {
            throw new IllegalArgumentException("a checkpoint must have %s and at most %d files in all; it has %d: %s"
                    .formatted(PARAMETERS, MAX_FILES, files.size(), files.keySet()));
        }
    }

    /** Returns the name of the checkpoint and of its folder, such as {@code checkpoint-000042}. */
    public String name() {
        return CheckpointName.of(number);
    }

    /** Returns the version of the parameters. */
    public ParameterVersion parameterVersion() {
        return new ParameterVersion(generation, version);
    }

    /** Returns whether the run was synchronous: then version v of all its servers holds the same gradients. */
    public boolean isSynchronous() {
        return Boolean.parseBoolean(notes.get(SYNCHRONOUS));
    }

    /** Returns the length of all files together, without the manifest. */
    public long bytes() {
        return files.values().stream().mapToLong(FileDigest::bytes).sum();
    }

    /**
     * The expected length and digest of a checkpoint's file.
     *
     * @param bytes  its length
     * @param sha256 SHA-256 of its bytes, as 64 lower-case hexadecimal digits
     */
    public record FileDigest(long bytes, String sha256) {

        public FileDigest {
            if (bytes < 0 || !Sha256.isDigest(sha256)) {
                throw new IllegalArgumentException(
                        "a file must have 0 bytes or more and a SHA-256 of 64 digits; it has %d and '%s'"
                                .formatted(bytes, Printable.text(sha256)));
            }
        }
    }
}
