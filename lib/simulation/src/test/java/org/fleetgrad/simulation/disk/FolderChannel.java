package org.fleetgrad.simulation.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open folder, of which only the names can be forced. */
final class FolderChannel extends FileChannel {

    private final DiskMount disk;
    private final DiskFolder folder;

    FolderChannel(DiskMount disk, DiskFolder folder) {
        this.disk = disk;
        this.folder = folder;
    }

    @Override
    public void force(boolean withMetadata) throws IOException {
        disk.force(folder::force);
    }

    @Override
    protected void implCloseChannel() {}

    private static IOException isFolder() {
        return new IOException("Is a directory");
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        throw isFolder();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        throw isFolder();
    }

    @Override
    public int read(ByteBuffer target, long at) throws IOException {
        throw isFolder();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        throw isFolder();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        throw isFolder();
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
        throw isFolder();
    }

    @Override
    public long position() throws IOException {
        throw isFolder();
    }

    @Override
    public FileChannel position(long to) throws IOException {
        throw isFolder();
    }

    @Override
    public long size() throws IOException {
        throw isFolder();
    }

    @Override
    public FileChannel truncate(long to) throws IOException {
        throw isFolder();
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
        throw isFolder();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
        throw isFolder();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long count) throws IOException {
        throw isFolder();
    }

    @Override
    public FileLock lock(long at, long count, boolean isShared) throws IOException {
        throw isFolder();
    }

    @Override
    public FileLock tryLock(long at, long count, boolean isShared) throws IOException {
        throw isFolder();
    }
}
