package org.fleetgrad.parquet;

/** The memory of the pages that are open, one of each column. Not thread-safe. */
final class PageMemory {

    /** Samples, their buffers and the rest of a program need the other part. */
    private static final int SHARE = 4;

    private final long most;
    private long used;

    /** Makes a memory of {@code most} bytes. */
    PageMemory(long most) {
        this.most = most;
    }

    /** Makes a memory that is a quarter of the heap. */
    static PageMemory ofHeap() {
        return new PageMemory(Runtime.getRuntime().maxMemory() / SHARE);
    }

    /**
     * Takes bytes, before they are allocated.
     *
     * @throws IllegalArgumentException if there are too few
     */
    void take(long bytes) {
        if (bytes > most - used) {
            throw new IllegalArgumentException(
                    "a page takes %,d bytes, and pages of other columns that are open take %,d; the most is %,d, a quarter of the heap: start with a larger heap (JAVA_TOOL_OPTIONS=-Xmx8g), write smaller pages (df.to_parquet(..., data_page_size=65536)), or leave columns out (--drop)"
                            .formatted(bytes, used, most));
        }
        used += bytes;
    }

    /** Gives bytes back. */
    void give(long bytes) {
        used -= bytes;
    }
}
