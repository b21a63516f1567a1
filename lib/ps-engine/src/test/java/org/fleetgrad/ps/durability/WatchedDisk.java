package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.fleetgrad.testing.disk.TestDisk;

/**
 * A folder of the real file system that reports every change to a test. The test may copy the folder after a change, as
 * a kill would leave it, and may make a change fail. Changes happen one at a time, from all threads.
 */
final class WatchedDisk extends TestDisk {

    private final Watch watch;

    /** The test's reaction to changes. */
    interface Watch {

        /** Called before a change; an exception makes the change fail. */
        void before(String change) throws IOException;

        /** Called after a change. */
        void after(String change);
    }

    WatchedDisk(Watch watch) {
        this.watch = watch;
    }

    /** A change, which may fail like the disk. */
    interface Change<T> {
        T make() throws IOException;
    }

    synchronized <T> T change(String what, Change<T> change) throws IOException {
        watch.before(what);
        T result = change.make();
        watch.after(what);
        return result;
    }

    /** Runs {@code something} while no file is changed. */
    synchronized void between(Runnable something) {
        something.run();
    }

    private static FileSystemProvider of(Path real) {
        return real.getFileSystem().provider();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path real = names(path);
        boolean isChange = options.contains(StandardOpenOption.WRITE);
        Change<FileChannel> open = () ->
                new WatchedChannel(this, real.getFileName().toString(), FileChannel.open(real, options, attributes));
        return isChange ? change("open " + real.getFileName(), open) : open.make();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> real = of(names(folder)).newDirectoryStream(names(folder), any -> true);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return StreamSupport.stream(real.spliterator(), false)
                        .map(WatchedDisk.this::path)
                        .iterator();
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        change("create " + folder.getFileName(), () -> {
            of(names(folder)).createDirectory(names(folder), attributes);
            return folder;
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete " + path.getFileName(), () -> {
            of(names(path)).delete(names(path));
            return path;
        });
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change("move to " + target.getFileName(), () -> {
            of(names(source)).move(names(source), names(target), options);
            return target;
        });
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        of(names(path)).checkAccess(names(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return of(names(path)).readAttributes(names(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return of(names(path)).readAttributes(names(path), attributes, options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return of(names(path)).isSameFile(names(path), names(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return of(names(path)).isHidden(names(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return of(names(path)).getFileStore(names(path));
    }

    @Override
    public String getScheme() {
        return "watched";
    }
}
