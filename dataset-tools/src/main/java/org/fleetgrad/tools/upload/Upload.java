package org.fleetgrad.tools.upload;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;
import org.fleetgrad.tools.Progress;

/** Uploads files to a store and creates an address for each. */
public final class Upload {

    /**
     * An uploaded object and its address.
     *
     * @param bucket the bucket's name
     * @param name   the object's name
     * @param url    an address that needs no credentials
     */
    public record Uploaded(String bucket, ObjectName name, URI url) {}

    private final ObjectStore store;
    private final Duration expiry;
    private final Progress progress;

    /** Prepares an upload; the addresses are valid for {@code expiry}. */
    public Upload(ObjectStore store, Duration expiry, Progress progress) {
        this.store = store;
        this.expiry = expiry;
        this.progress = progress;
    }

    /**
     * Uploads each file under {@code prefix} and its own name; creates the bucket if it is missing.
     *
     * @param force whether existing objects of these names are replaced
     * @throws FileAlreadyExistsException if such an object exists and {@code force} is not set; nothing is uploaded then
     */
    public List<Uploaded> upload(List<Path> files, String prefix, boolean force) throws IOException {
        List<ObjectName> names = files.stream()
                .map(file -> new ObjectName(prefix + file.getFileName()))
                .toList();
        store.createBucketIfMissing();
        if (!force) {
            List<String> present =
                    store.list(prefix).stream().map(StoredObject::name).toList();
            for (ObjectName name : names) {
                if (present.contains(name.text())) {
                    throw new FileAlreadyExistsException(name.text(), null, "in the bucket " + store.bucket());
                }
            }
        }
        List<Uploaded> uploaded = new ArrayList<>();
        progress.begin("upload", files.size(), "files");
        try {
            for (int i = 0; i < files.size(); i++) {
                store.put(names.get(i), files.get(i));
                uploaded.add(new Uploaded(store.bucket(), names.get(i), store.presign(names.get(i), expiry)));
                progress.reach(i + 1);
            }
        } finally {
            progress.end();
        }
        return uploaded;
    }
}
