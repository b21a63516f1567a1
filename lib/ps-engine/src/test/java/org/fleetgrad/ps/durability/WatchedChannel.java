package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of a {@link WatchedDisk}. A failing write writes half of its bytes. */
final class WatchedChannel extends FileChannel {

    private final WatchedDisk disk;
    private final String name;
    private final FileChannel real;

    WatchedChannel(WatchedDisk disk, String name, FileChannel real) {
        this.disk = disk;
        this.name = name;
        this.real = real;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return write(from, real.position(), true);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return write(from, position, false);
    }

    private int write(ByteBuffer from, long position, boolean isMoving) throws IOException {
        ByteBuffer half = from.slice(from.position(), from.remaining() / 2);
        boolean[] isBegun = new boolean[1];
        try {
            return disk.change("write " + name, () -> {
                isBegun[0] = true;
                return isMoving ? real.write(from) : real.write(from, position);
            });
        } catch (IOException failed) {
            if (!isBegun[0]) {
                real.write(half, position);
            }
            throw failed;
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        disk.change("force " + name, () -> {
            real.force(metadata);
            return name;
        });
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        return disk.change("truncate " + name, () -> {
            real.truncate(size);
            return this;
        });
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return real.read(into);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return real.read(into, position);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return real.read(into, offset, length);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException("gathering");
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("transfers");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException("transfers");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("maps");
    }

    @Override
    public FileLock lock(long position, long size, boolean isShared) throws IOException {
        return real.lock(position, size, isShared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean isShared) throws IOException {
        return real.tryLock(position, size, isShared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }
}
