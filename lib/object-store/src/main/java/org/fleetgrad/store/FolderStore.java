package org.fleetgrad.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Content;
import org.fleetgrad.files.DurableFolder;

/** Stores objects as files of a folder; their addresses are {@code file:} URIs. */
public final class FolderStore implements ObjectStore {

    private static final int TRIES = 10;

    private final Path folder;

    /** Creates a store in a folder, which need not exist yet. */
    public FolderStore(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    public void createBucketIfMissing() throws IOException {
        DurableFolder.create(folder);
    }

    @Override
    public String bucket() {
        Path name = folder.getFileName();
        return name == null ? folder.toString() : name.toString();
    }

    @Override
    public void put(ObjectName name, Path file) throws IOException {
        write(name, out -> Files.copy(file, out));
    }

    @Override
    public void put(ObjectName name, long bytes, Content content) throws IOException {
        write(name, new ExactContent(name, bytes, content));
    }

    private void write(ObjectName name, Content content) throws IOException {
        Path target = path(name);
        Path parent = target.resolveSibling(".").normalize();
        for (int tries = 1; ; tries++) {
            try {
                DurableFolder.create(parent);
                AtomicFile.write(target, content);
                return;
            } catch (NoSuchFileException | FileAlreadyExistsException raced) {
                // A concurrent delete may have removed the folder while it was still empty: after it was made, or
                // between the attempt to make it and the check of what exists there.
                if (tries == TRIES) {
                    throw raced;
                }
            }
        }
    }

    @Override
    public InputStream get(ObjectName name) throws IOException {
        return Files.newInputStream(existing(name));
    }

    @Override
    public List<StoredObject> list(String prefix) throws IOException {
        List<StoredObject> objects = new ArrayList<>();
        FolderWalk.each(folder, prefix, (name, file) -> {
            // Names of unfinished files begin with a dot; names of objects never do.
            if (!("/" + name).contains("/.")) {
                objects.add(new StoredObject(name, Files.size(file)));
            }
        });
        objects.sort(Comparator.comparing(StoredObject::name));
        return objects;
    }

    @Override
    public void delete(ObjectName name) throws IOException {
        Path file = path(name);
        if (Files.deleteIfExists(file)) {
            DurableFolder.force(file.resolveSibling(".").normalize());
            deleteEmptyFolders(file);
        }
    }

    @Override
    public void deleteUnfinished(String prefix) throws IOException {
        FolderWalk.each(folder, prefix, (name, file) -> {
            if (AtomicFile.isUnfinished(file.getFileName().toString())) {
                Files.deleteIfExists(file);
                deleteEmptyFolders(file);
            }
        });
        // A put may have been interrupted after it created its folder and before it created its file.
        if (prefix.endsWith("/")) {
            deleteEmptyFolders(folder.resolve(prefix).resolve("file").normalize());
        }
    }

    @Override
    public URI presign(ObjectName name, Duration expiry) throws IOException {
        PresignExpiry.seconds(expiry);
        return existing(name).toUri();
    }

    @Override
    public void close() {}

    /** Deletes the folders that the deletion of an object left empty, because a bucket has no folders. */
    private void deleteEmptyFolders(Path file) throws IOException {
        for (Path parent = file.getParent();
                parent != null && !parent.equals(folder) && parent.startsWith(folder);
                parent = parent.getParent()) {
            try {
                Files.deleteIfExists(parent);
            } catch (DirectoryNotEmptyException inUse) {
                return;
            }
        }
    }

    private Path existing(ObjectName name) throws NoSuchFileException {
        Path file = path(name);
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(name.text(), null, "no such object in " + folder);
        }
        return file;
    }

    private Path path(ObjectName name) {
        return folder.resolve(name.text());
    }
}
