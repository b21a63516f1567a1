package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A folder of the real file system that reports every change to a test. The test may copy the folder after a change, as
 * a kill would leave it, and may make a change fail. Changes happen one at a time, from all threads.
 */
final class WatchedDisk extends FileSystemProvider {

    private final FileSystem files = new WatchedFileSystem(this);
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

    FileSystem files() {
        return files;
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

    /** Returns a path of this file system for a real one. */
    Path path(Path real) {
        return (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return files;
                    }
                    Object[] unwrapped = arguments == null
                            ? new Object[0]
                            : Arrays.stream(arguments)
                                    .map(WatchedDisk::unwrapped)
                                    .toArray();
                    try {
                        Object result = method.invoke(real, unwrapped);
                        return result instanceof Path path ? path(path) : result;
                    } catch (InvocationTargetException thrown) {
                        throw Objects.requireNonNull(thrown.getCause());
                    }
                });
    }

    private static @Nullable Object unwrapped(@Nullable Object argument) {
        return argument instanceof Path path ? real(path) : argument;
    }

    private static Path real(Path path) {
        return Path.of(path.toString());
    }

    private static FileSystemProvider of(Path real) {
        return real.getFileSystem().provider();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path real = real(path);
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
        DirectoryStream<Path> real = of(real(folder)).newDirectoryStream(real(folder), any -> true);
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
            of(real(folder)).createDirectory(real(folder), attributes);
            return folder;
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        change("delete " + path.getFileName(), () -> {
            of(real(path)).delete(real(path));
            return path;
        });
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change("move to " + target.getFileName(), () -> {
            of(real(source)).move(real(source), real(target), options);
            return target;
        });
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        of(real(path)).checkAccess(real(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return of(real(path)).readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return of(real(path)).readAttributes(real(path), attributes, options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return of(real(path)).isSameFile(real(path), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return of(real(path)).isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return of(real(path)).getFileStore(real(path));
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        throw new UnsupportedOperationException("attributes of " + path);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException("attributes of " + path);
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException("copies of " + source);
    }

    @Override
    public String getScheme() {
        return "watched";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException("another file system than this");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("paths of addresses");
    }
}
