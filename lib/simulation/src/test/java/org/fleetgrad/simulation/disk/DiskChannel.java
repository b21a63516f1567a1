package org.fleetgrad.simulation.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open file of a {@link DiskMount}. */
final class DiskChannel extends FileChannel {

    private final DiskMount disk;
    private final DiskFile file;
    private final boolean isAppending;
    private int position;
    private boolean holdsLock;

    DiskChannel(DiskMount disk, DiskFile file, boolean isAppending) {
        this.disk = disk;
        this.file = file;
        this.isAppending = isAppending;
    }

    @Override
    public int read(ByteBuffer target) {
        int n = read(target, position);
        position += Math.max(0, n);
        return n;
    }

    @Override
    public int read(ByteBuffer target, long at) {
        if (!target.hasRemaining()) {
            return 0;
        }
        byte[] bytes = new byte[Math.max(0, Math.min(target.remaining(), file.size() - (int) at))];
        int n = file.read((int) at, bytes, 0, bytes.length);
        if (n <= 0) {
            return -1;
        }
        target.put(bytes, 0, n);
        return n;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            int n = read(targets[i]);
            if (n < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += n;
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int n = write(source, isAppending ? file.size() : position);
        position += n;
        return n;
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
        byte[] bytes = new byte[source.remaining()];
        source.duplicate().get(bytes);
        disk.change(() -> file.write((int) at, bytes));
        source.position(source.limit());
        return bytes.length;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += write(sources[i]);
        }
        return sum;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long to) {
        position = (int) to;
        return this;
    }

    @Override
    public long size() {
        return file.size();
    }

    @Override
    public FileChannel truncate(long to) throws IOException {
        disk.change(() -> file.truncate((int) to));
        position = Math.min(position, (int) to);
        return this;
    }

    @Override
    public void force(boolean withMetadata) throws IOException {
        disk.force(file::force);
    }

    @Override
    public FileLock tryLock(long at, long count, boolean isShared) {
        if (!file.lock()) {
            throw new OverlappingFileLockException();
        }
        holdsLock = true;
        return new FileLock(this, at, count, isShared) {
            @Override
            public boolean isValid() {
                return isOpen();
            }

            @Override
            public void release() {
                unlock();
            }
        };
    }

    @Override
    public FileLock lock(long at, long count, boolean isShared) {
        return tryLock(at, count, isShared);
    }

    private void unlock() {
        if (holdsLock) {
            holdsLock = false;
            file.unlock();
        }
    }

    @Override
    protected void implCloseChannel() {
        unlock();
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
        byte[] bytes = new byte[(int) Math.max(0, Math.min(count, file.size() - at))];
        file.read((int) at, bytes, 0, bytes.length);
        return target.write(ByteBuffer.wrap(bytes));
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, 1 << 20));
        int n = source.read(bytes);
        return n <= 0 ? 0 : write(bytes.flip(), at);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long count) {
        throw new UnsupportedOperationException("mapped files");
    }
}
