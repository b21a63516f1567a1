package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.files.Content;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;

/** A store whose n-th operation and all later ones fail: it then holds what a crash at that point leaves. */
final class FailingStore implements ObjectStore {

    /** The way in which an operation fails. */
    enum Failure {
        /** Does nothing. */
        BEFORE,
        /** Completes, but the response is lost. */
        AFTER,
        /** Writes half of the content; an operation that is not a put does nothing. */
        HALFWAY
    }

    private final ObjectStore store;
    private final int failing;
    private final Failure failure;
    private int operations;

    FailingStore(ObjectStore store, int failing, Failure failure) {
        this.store = store;
        this.failing = failing;
        this.failure = failure;
    }

    /** Returns whether the failing operation was reached. */
    boolean hasFailed() {
        return operations >= failing;
    }

    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }

    private <T> T run(Operation<T> operation) throws IOException {
        operations++;
        if (operations < failing) {
            return operation.run();
        }
        if (operations == failing && failure == Failure.AFTER && operation.run() instanceof InputStream in) {
            in.close();
        }
        throw new IOException("crashed at operation " + failing);
    }

    @Override
    public void put(ObjectName name, long bytes, Content content) throws IOException {
        boolean isHalf = operations + 1 == failing && failure == Failure.HALFWAY;
        if (isHalf) {
            operations++;
            store.put(name, bytes, out -> {
                content.writeTo(new HalfStream(out, bytes / 2));
            });
            return;
        }
        run(() -> {
            store.put(name, bytes, content);
            return name;
        });
    }

    @Override
    public void put(ObjectName name, Path file) throws IOException {
        run(() -> {
            store.put(name, file);
            return name;
        });
    }

    @Override
    public void createBucketIfMissing() throws IOException {
        run(() -> {
            store.createBucketIfMissing();
            return store;
        });
    }

    @Override
    public InputStream get(ObjectName name) throws IOException {
        return run(() -> store.get(name));
    }

    @Override
    public List<StoredObject> list(String prefix) throws IOException {
        return run(() -> store.list(prefix));
    }

    @Override
    public void delete(ObjectName name) throws IOException {
        run(() -> {
            store.delete(name);
            return name;
        });
    }

    @Override
    public void deleteUnfinished(String prefix) throws IOException {
        run(() -> {
            store.deleteUnfinished(prefix);
            return prefix;
        });
    }

    @Override
    public URI presign(ObjectName name, Duration expiry) throws IOException {
        return run(() -> store.presign(name, expiry));
    }

    @Override
    public String bucket() {
        return store.bucket();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
