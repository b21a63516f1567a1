package org.fleetgrad.simulation.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** What is known of a file or a folder. */
record DiskAttributes(DiskEntry entry) implements BasicFileAttributes {

    private static final FileTime NO_TIME = FileTime.fromMillis(0);

    @Override
    public FileTime lastModifiedTime() {
        return NO_TIME;
    }

    @Override
    public FileTime lastAccessTime() {
        return NO_TIME;
    }

    @Override
    public FileTime creationTime() {
        return NO_TIME;
    }

    @Override
    public boolean isRegularFile() {
        return entry instanceof DiskFile;
    }

    @Override
    public boolean isDirectory() {
        return entry instanceof DiskFolder;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public long size() {
        return entry instanceof DiskFile file ? file.size() : 0;
    }

    @Override
    public Object fileKey() {
        return entry;
    }
}
