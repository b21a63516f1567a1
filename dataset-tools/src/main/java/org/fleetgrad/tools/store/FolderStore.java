package org.fleetgrad.tools.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.datasets.files.AtomicFile;

/** Keeps objects as files of a folder; their addresses are {@code file:} URIs. */
public final class FolderStore implements ObjectStore {

    private final Path folder;

    /** Prepares to use a folder; it need not exist yet. */
    public FolderStore(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    public void createBucketIfMissing() throws IOException {
        Files.createDirectories(folder);
    }

    @Override
    public String bucket() {
        Path name = folder.getFileName();
        return name == null ? folder.toString() : name.toString();
    }

    @Override
    public void put(ObjectName name, Path file) throws IOException {
        Path target = path(name);
        Files.createDirectories(target.resolveSibling("."));
        AtomicFile.write(target, out -> Files.copy(file, out));
    }

    @Override
    public InputStream get(ObjectName name) throws IOException {
        return Files.newInputStream(existing(name));
    }

    @Override
    public List<StoredObject> list(String prefix) throws IOException {
        List<StoredObject> objects = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                // Files being written begin with a dot, as no object does.
                boolean isObject = !("/" + name).contains("/.");
                if (isObject && name.startsWith(prefix)) {
                    objects.add(new StoredObject(name, Files.size(file)));
                }
            }
        }
        objects.sort(Comparator.comparing(StoredObject::name));
        return objects;
    }

    @Override
    public URI presign(ObjectName name, Duration expiry) throws IOException {
        PresignExpiry.seconds(expiry);
        return existing(name).toUri();
    }

    @Override
    public void close() {}

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
