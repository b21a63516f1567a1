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
 * A place that keeps objects by name. Names are {@link ObjectName} everywhere. An object appears whole or not at all,
 * and a second put replaces the first. Safe from several threads.
 */
public interface ObjectStore extends Closeable {

    /** Returns the name of the bucket, or of the folder that stands for one. */
    String bucket();

    /** Makes the bucket unless it is there. */
    void createBucketIfMissing() throws IOException;

    /** Stores the content of {@code file} under {@code name}. */
    void put(ObjectName name, Path file) throws IOException;

    /**
     * Stores {@code content}, which has {@code bytes} bytes, under {@code name}. It is stored as it is written, without a
     * second copy, and on the disk when this returns.
     *
     * @throws IOException also when the content has another length; nothing is stored then
     */
    void put(ObjectName name, long bytes, Content content) throws IOException;

    /**
     * Opens an object; the caller closes it.
     *
     * @throws NoSuchFileException when there is none of this name
     */
    InputStream get(ObjectName name) throws IOException;

    /** Lists the objects whose names begin with {@code prefix}, sorted by name; an empty prefix lists all. */
    List<StoredObject> list(String prefix) throws IOException;

    /** Deletes an object; that there is none of this name is fine. */
    void delete(ObjectName name) throws IOException;

    /**
     * Deletes what puts that were cut off have left under {@code prefix}, which no list shows. Only for who knows that
     * nobody puts anything there meanwhile.
     */
    void deleteUnfinished(String prefix) throws IOException;

    /**
     * Makes an address from which anybody can read the object for as long as {@code expiry}; that of a folder does not
     * expire.
     *
     * @throws NoSuchFileException when there is no such object
     * @throws IllegalArgumentException when {@code expiry} is not between a second and seven days, S3's limit
     */
    URI presign(ObjectName name, Duration expiry) throws IOException;
}
