package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32;

/** The values of a column in a group of rows. In memory are one page and the dictionary. Not thread-safe. */
final class ColumnPages {

    private static final int RUNS = 3;

    private final FileInput in;
    private final Codec codec;
    private final SchemaElement column;
    private final PageMemory memory;
    private final boolean isOptional;
    private final long values;
    private Optional<Dictionary> dictionary = Optional.empty();
    private Optional<Runs> levels = Optional.empty();
    private PageValues page;
    private long dictionaryBytes;
    private long pageBytes;
    private long stated;
    private int left;

    /**
     * Opens pages.
     *
     * @param in     all of them
     * @param values number of values, of missing ones, too
     */
    ColumnPages(FileInput in, Codec codec, ParquetColumn column, long values, PageMemory memory) {
        this.in = in;
        this.codec = codec;
        this.column = column.element();
        this.isOptional = column.isOptional();
        this.values = values;
        this.memory = memory;
        this.page = cell -> {
            throw Bytes.endsEarly();
        };
    }

    /**
     * Reads the next value.
     *
     * @return false if it is missing
     * @throws IllegalArgumentException if there is none, or a page is broken or too large
     */
    boolean next(Cell cell) throws IOException {
        while (left == 0) {
            readPage();
        }
        left--;
        if (levels.isPresent() && levels.get().next() == 0) {
            return false;
        }
        page.next(cell);
        return true;
    }

    private void readPage() throws IOException {
        if (in.remaining() == 0) {
            throw new IllegalArgumentException("its pages have %,d of %,d values".formatted(stated, values));
        }
        PageHeader header = PageHeader.read(in);
        if (header.packed() < 0 || header.unpacked() < 0 || header.packed() > in.remaining()) {
            throw new IllegalArgumentException("a page states %,d bytes, and %,d unpacked, where %,d are left"
                    .formatted(header.packed(), header.unpacked(), in.remaining()));
        }
        switch (header.kind()) {
            case OTHER -> in.skip(header.packed());
            case DICTIONARY -> readDictionary(header);
            default -> readData(header);
        }
    }

    private void readDictionary(PageHeader header) throws IOException {
        if (dictionary.isPresent()) {
            throw new IllegalArgumentException("it has two dictionaries in one row group");
        }
        if (header.encoding() != 0 && header.encoding() != 2) {
            throw new IllegalArgumentException(
                    "its dictionary has the encoding %d, which is not read".formatted(header.encoding()));
        }
        dictionaryBytes = Dictionary.bytes(column, header.unpacked());
        memory.take(dictionaryBytes);
        dictionary = Optional.of(new Dictionary(column, unpacked(header, 0), header.values()));
    }

    private void readData(PageHeader header) throws IOException {
        if (header.values() < 0 || header.values() > values - stated) {
            throw new IllegalArgumentException(
                    "a page states %,d values after %,d of %,d".formatted(header.values(), stated, values));
        }
        memory.give(pageBytes);
        pageBytes = 0;
        memory.take(header.unpacked());
        pageBytes = header.unpacked();
        boolean isNew = header.kind() == PageHeader.Kind.DATA_OF_VERSION_2;
        int levelBytes = isNew ? levelBytes(header) : 0;
        byte[] bytes = unpacked(header, levelBytes);
        ByteBuffer body = Bytes.of(bytes, 0, bytes.length);
        if (isNew) {
            ByteBuffer runs = Bytes.of(bytes, header.otherLevelBytes(), levelBytes);
            levels = isOptional ? Optional.of(new Runs(runs, 1)) : Optional.empty();
            body.position(levelBytes);
        } else {
            levels = isOptional ? Optional.of(levels(header, body)) : Optional.empty();
        }
        page = PageValues.of(header.encoding(), column, body, header.values(), dictionary);
        stated += header.values();
        left = header.values();
    }

    private static int levelBytes(PageHeader header) {
        long bytes = (long) header.levelBytes() + header.otherLevelBytes();
        if (header.levelBytes() < 0
                || header.otherLevelBytes() < 0
                || bytes > header.packed()
                || bytes > header.unpacked()) {
            throw new IllegalArgumentException("a page of %,d bytes states %,d and %,d bytes for missing values"
                    .formatted(header.packed(), header.otherLevelBytes(), header.levelBytes()));
        }
        return (int) bytes;
    }

    private static Runs levels(PageHeader header, ByteBuffer body) {
        if (header.levels() != RUNS) {
            throw new IllegalArgumentException(
                    "a page says in the encoding %d which values are missing, which is not read"
                            .formatted(header.levels()));
        }
        int length = Bytes.length(body);
        ByteBuffer runs = body.duplicate().limit(body.position() + length);
        body.position(body.position() + length);
        return new Runs(runs, 1);
    }

    /** Reads the bytes of a page, of which the first ones are not packed. Memory for the result is taken before. */
    private byte[] unpacked(PageHeader header, int plain) throws IOException {
        memory.take(header.packed());
        try {
            byte[] packed = new byte[header.packed()];
            in.read(packed, packed.length);
            requireUndamaged(header, packed);
            if (codec == Codec.UNCOMPRESSED || !header.isPacked()) {
                if (packed.length != header.unpacked()) {
                    throw new IllegalArgumentException("a page that is not packed states %,d bytes, and %,d unpacked"
                            .formatted(packed.length, header.unpacked()));
                }
                return packed;
            }
            byte[] into = new byte[header.unpacked()];
            System.arraycopy(packed, 0, into, 0, plain);
            codec.unpack(packed, plain, into);
            return into;
        } finally {
            memory.give(header.packed());
        }
    }

    private static void requireUndamaged(PageHeader header, byte[] packed) {
        if (header.checksum().isEmpty()) {
            return;
        }
        CRC32 checksum = new CRC32();
        checksum.update(packed);
        if ((int) checksum.getValue() != header.checksum().getAsInt()) {
            throw new IllegalArgumentException("a page is damaged: its checksum is %08x, and it states %08x"
                    .formatted(checksum.getValue(), header.checksum().getAsInt()));
        }
    }

    /** Gives the memory back. */
    void close() {
        memory.give(pageBytes + dictionaryBytes);
    }
}
