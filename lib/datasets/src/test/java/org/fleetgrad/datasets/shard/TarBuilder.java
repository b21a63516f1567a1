package org.fleetgrad.datasets.shard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Builds archives with any content, including invalid ones. */
final class TarBuilder {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

    TarBuilder() {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    }

    /** Returns a builder with the two entries of {@link TestShards#shard()}. */
    static TarBuilder ofShard() throws IOException {
        Shard shard = TestShards.shard();
        return new TarBuilder()
                .file(ShardArchive.DESCRIPTION, DescriptionJson.write(shard.description()))
                .file(
                        ShardArchive.DATA,
                        ShardData.encode(shard.samples(), shard.description().schema())
                                .array());
    }

    TarBuilder file(String name, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
        return this;
    }

    /** Adds an entry of another type, such as {@link TarArchiveEntry#LF_SYMLINK}, without content. */
    TarBuilder special(String name, byte type, String target) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, type);
        entry.setLinkName(target);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
        return this;
    }

    /** Adds an entry of another type with content. */
    TarBuilder special(String name, byte type, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, type);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
        return this;
    }

    byte[] tar() throws IOException {
        tar.finish();
        return bytes.toByteArray();
    }

    byte[] gzip() throws IOException {
        return gzip(tar());
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
