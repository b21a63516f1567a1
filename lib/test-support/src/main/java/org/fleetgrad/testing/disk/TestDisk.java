package org.fleetgrad.testing.disk;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.CopyOption;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A disk of a test: a file system of its own, whose paths have the names of the default one's. What a run does not need of a disk
 * is not supported.
 */
public abstract class TestDisk extends FileSystemProvider {

    private final FileSystem files = new TestFileSystem(this);

    /** Returns a path of this disk with the names of a path. */
    public Path path(Path names) {
        return (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getFileSystem") ? files : call(names, method, arguments));
    }

    private @Nullable Object call(Path names, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] unwrapped = arguments == null
                ? new Object[0]
                : Arrays.stream(arguments).map(TestDisk::unwrapped).toArray();
        try {
            Object result = method.invoke(names, unwrapped);
            return result instanceof Path path ? path(path) : result;
        } catch (InvocationTargetException thrown) {
            throw Objects.requireNonNull(thrown.getCause());
        }
    }

    private static @Nullable Object unwrapped(@Nullable Object argument) {
        return argument instanceof Path path ? names(path) : argument;
    }

    /** Returns the path of the default file system with the names of a path of this disk. */
    protected static Path names(Path path) {
        return Path.of(path.toString());
    }

    protected final FileSystem files() {
        return files;
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
}
