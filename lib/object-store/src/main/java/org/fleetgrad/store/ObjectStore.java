package org.fleetgrad.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.files.Content;

/**
 * A store of objects by name; every name is an {@link ObjectName}. A put is atomic, and a second put replaces the
 * first. Thread-safe.
 */
public interface ObjectStore extends Closeable {

    /** Returns the name of the bucket, or of the folder that is used instead. */
    String bucket();

    /** Creates the bucket unless it exists. */
    void createBucketIfMissing() throws IOException;

    /** Stores the content of {@code file} under {@code name}. */
    void put(ObjectName name, Path file) throws IOException;

    /**
     * Stores {@code content}, which has {@code bytes} bytes, under {@code name}. It is streamed to the store, without a
     * second copy, and is on the disk when this call returns.
     *
     * @throws IOException also if the content has another length; then nothing is stored
     */
    void put(ObjectName name, long bytes, Content content) throws IOException;

    /**
     * Opens an object; the caller closes it.
     *
     * @throws NoSuchFileException if there is no such object
     */
    InputStream get(ObjectName name) throws IOException;

    /** Lists the objects whose names begin with {@code prefix}, sorted by name; an empty prefix lists all. */
    List<StoredObject> list(String prefix) throws IOException;

    /** Deletes an object; does nothing if it does not exist. */
    void delete(ObjectName name) throws IOException;

    /**
     * Deletes the remains of interrupted puts under {@code prefix}, which {@link #list} does not show. The caller must
     * know that no put is running there.
     */
    void deleteUnfinished(String prefix) throws IOException;

    /**
     * Returns an address from which anybody can read the object until {@code expiry} has passed; the address of a file
     * in a folder does not expire.
     *
     * @throws NoSuchFileException      if there is no such object
     * @throws IllegalArgumentException if {@code expiry} is not between a second and seven days, S3's limit
     */
    URI presign(ObjectName name, Duration expiry) throws IOException;
}
