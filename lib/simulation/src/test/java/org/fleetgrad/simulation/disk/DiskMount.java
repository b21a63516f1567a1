package org.fleetgrad.simulation.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fleetgrad.testing.disk.TestDisk;
import org.jspecify.annotations.Nullable;

/** A {@link ForgetfulDisk} as one process sees it. Once the process is dead, whatever it still tries fails. */
public final class DiskMount extends TestDisk {

    private final ForgetfulDisk disk;
    private int changesLeft = Integer.MAX_VALUE;
    private boolean isDead;

    DiskMount(ForgetfulDisk disk) {
        this.disk = disk;
    }

    /** Kills the process. */
    public void kill() {
        isDead = true;
    }

    /** Kills the process at a change that comes. */
    public void killAfter(int changes) {
        changesLeft = changes;
    }

    public boolean isDead() {
        return isDead;
    }

    void change(ForgetfulDisk.Change change) throws IOException {
        requireAlive();
        disk.change(change);
    }

    void force(ForgetfulDisk.Change change) throws IOException {
        requireAlive();
        disk.force(change);
    }

    private void requireAlive() throws IOException {
        if (isDead || changesLeft-- <= 0) {
            isDead = true;
            throw new IOException("the process is dead");
        }
    }

    /** Returns a path on this disk. */
    public Path path(String absolute) {
        return path(Path.of(absolute));
    }

    private @Nullable DiskEntry find(Path path) {
        DiskEntry at = disk.root();
        for (Path name : names(path).normalize()) {
            if (!(at instanceof DiskFolder folder)) {
                return null;
            }
            at = folder.get(name.toString());
        }
        return at;
    }

    private DiskEntry require(Path path) throws NoSuchFileException {
        DiskEntry found = find(path);
        if (found == null) {
            throw new NoSuchFileException(path.toString());
        }
        return found;
    }

    private DiskFolder folderOf(Path path) throws IOException {
        Path parent = names(path).normalize().getParent();
        DiskEntry found = parent == null ? disk.root() : require(parent);
        if (found instanceof DiskFolder folder) {
            return folder;
        }
        throw new NotDirectoryException(String.valueOf(parent));
    }

    private static String name(Path path) {
        return String.valueOf(names(path).normalize().getFileName());
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        DiskEntry found = find(path);
        if (found instanceof DiskFolder folder) {
            return new FolderChannel(this, folder);
        }
        if (found != null && options.contains(StandardOpenOption.CREATE_NEW)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        if (found == null) {
            if (!options.contains(StandardOpenOption.CREATE) && !options.contains(StandardOpenOption.CREATE_NEW)) {
                throw new NoSuchFileException(path.toString());
            }
            DiskFolder folder = folderOf(path);
            DiskFile made = new DiskFile();
            change(() -> folder.put(name(path), made));
            return new DiskChannel(this, made, options.contains(StandardOpenOption.APPEND));
        }
        DiskFile file = (DiskFile) found;
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            change(() -> file.truncate(0));
        }
        return new DiskChannel(this, file, options.contains(StandardOpenOption.APPEND));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        if (!(require(folder) instanceof DiskFolder found)) {
            throw new NotDirectoryException(folder.toString());
        }
        List<Path> paths = found.entries().keySet().stream()
                .map(name -> path(Path.of(folder.toString(), name)))
                .toList();
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return paths.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        if (find(folder) != null) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        DiskFolder parent = folderOf(folder);
        change(() -> parent.put(name(folder), new DiskFolder()));
    }

    @Override
    public void delete(Path path) throws IOException {
        if (require(path) instanceof DiskFolder folder && !folder.entries().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        DiskFolder parent = folderOf(path);
        change(() -> parent.remove(name(path)));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        DiskEntry moved = require(source);
        DiskFolder from = folderOf(source);
        DiskFolder to = folderOf(target);
        if (from == to) {
            change(() -> from.rename(name(source), name(target)));
        } else {
            change(() -> {
                to.put(name(target), moved);
                from.remove(name(source));
            });
        }
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        require(path);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return (A) new DiskAttributes(require(path));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException(attributes + " of " + path);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return require(path) == require(other);
    }

    @Override
    public boolean isHidden(Path path) {
        return name(path).startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        throw new IOException("it has no size");
    }

    @Override
    public String getScheme() {
        return "forgetful";
    }
}
