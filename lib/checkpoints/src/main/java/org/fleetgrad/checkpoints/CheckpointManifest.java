package org.fleetgrad.checkpoints;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * What a checkpoint consists of. It is written last: where it is, all of the checkpoint is.
 *
 * @param format     {@link #FORMAT}
 * @param number     from 1; grows by 1 from checkpoint to checkpoint of a location, whatever their versions
 * @param generation history that the parameters belong to
 * @param version    steps applied since it began
 * @param written    when it was written
 * @param notes      strings for people, such as network, dataset, mode, optimizer, samples, loss, accuracy; in their order
 * @param files      every other file by its name, {@link #PARAMETERS} among them; in their order
 */
public record CheckpointManifest(
        int format,
        long number,
        String generation,
        long version,
        Instant written,
        Map<String, String> notes,
        Map<String, FileDigest> files) {

    /** The format that this library writes and reads. */
    public static final int FORMAT = 1;

    /** The manifest's own file. */
    public static final String FILE_NAME = "manifest.json";

    /** The file that every checkpoint has: the parameter set. */
    public static final String PARAMETERS = "parameters.safetensors";

    static final int MOST_FILES = 100;

    /** Checks every part. */
    public CheckpointManifest {
        if (format != FORMAT) {
            throw new IllegalArgumentException("it is of format %d, read is format %d; take the Fleetgrad that wrote it"
                    .formatted(format, FORMAT));
        }
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
        if (!files.containsKey(PARAMETERS) || files.size() > MOST_FILES) {
            throw new IllegalArgumentException("a checkpoint has %s and at most %d files in all; not %d: %s"
                    .formatted(PARAMETERS, MOST_FILES, files.size(), files.keySet()));
        }
    }

    /** Returns the checkpoint's name, such as {@code checkpoint-000042}: that of its folder. */
    public String name() {
        return CheckpointName.of(number);
    }

    /** Returns which parameters it holds. */
    public ParameterVersion parameterVersion() {
        return new ParameterVersion(generation, version);
    }

    /** Returns the length of all files together, without the manifest. */
    public long bytes() {
        return files.values().stream().mapToLong(FileDigest::bytes).sum();
    }
}
