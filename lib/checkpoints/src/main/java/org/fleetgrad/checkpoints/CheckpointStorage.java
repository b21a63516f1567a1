package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.fleetgrad.checkpoints.CheckpointManifest.FileDigest;
import org.fleetgrad.files.Content;
import org.fleetgrad.files.DigestingOutputStream;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;

/** The files of checkpoints in a store: {@code <prefix>checkpoint-000042/<file>}. */
final class CheckpointStorage {

    private final ObjectStore store;
    private final String prefix;

    /** @param prefix empty, or ends in a slash */
    CheckpointStorage(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** Returns the lengths of all files, by checkpoint, newest first, and by name. Other objects are left out. */
    NavigableMap<Long, Map<String, Long>> contents() throws IOException {
        return contentsUnder(prefix + CheckpointName.BEGINNING);
    }

    /** Returns the lengths of the files of one checkpoint, by name. */
    Map<String, Long> contents(long number) throws IOException {
        return contentsUnder(prefix + CheckpointName.of(number) + "/").getOrDefault(number, Map.of());
    }

    private NavigableMap<Long, Map<String, Long>> contentsUnder(String listed) throws IOException {
        NavigableMap<Long, Map<String, Long>> contents = new TreeMap<>(Comparator.reverseOrder());
        for (StoredObject object : store.list(listed)) {
            String name = object.name().substring(prefix.length());
            int slash = name.indexOf('/');
            OptionalLong number = slash < 0 ? OptionalLong.empty() : CheckpointName.number(name.substring(0, slash));
            String file = name.substring(slash + 1);
            if (number.isPresent() && CheckpointFile.isStored(file)) {
                contents.computeIfAbsent(number.getAsLong(), unused -> new LinkedHashMap<>())
                        .put(file, object.bytes());
            }
        }
        return contents;
    }

    /** Opens a file. Throws {@link java.nio.file.NoSuchFileException} if it does not exist. */
    InputStream open(long number, String file) throws IOException {
        return store.get(name(number, file));
    }

    /** Writes a file and computes its digest meanwhile. */
    FileDigest put(long number, String file, long bytes, Content content) throws IOException {
        // The store may request the content more than once; it stores the last copy, so the last digest counts.
        FileDigest[] digest = new FileDigest[1];
        store.put(name(number, file), bytes, out -> {
            DigestingOutputStream digesting = new DigestingOutputStream(out);
            content.writeTo(digesting);
            digest[0] = new FileDigest(digesting.bytes(), digesting.sha256());
        });
        return digest[0];
    }

    void delete(long number, String file) throws IOException {
        store.delete(name(number, file));
    }

    /** Deletes the remains of unfinished puts of one checkpoint; complete files stay. */
    void deleteUnfinished(long number) throws IOException {
        store.deleteUnfinished(prefix + CheckpointName.of(number) + "/");
    }

    private ObjectName name(long number, String file) {
        return new ObjectName(prefix + CheckpointName.of(number) + "/" + file);
    }
}
