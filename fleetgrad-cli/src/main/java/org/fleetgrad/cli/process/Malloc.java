package org.fleetgrad.cli.process;

import java.util.Map;

/** How glibc gives out the memory that libtorch asks for: environment variables of a program that computes. */
public final class Malloc {

    /**
     * One arena, since an arena for each thread costs a worker tens of megabytes and brings it nothing. Thresholds above
     * the tensors of a batch, since glibc would otherwise hand their pages back and fault them in again every batch:
     * about one run in three was 30% slower for it.
     */
    public static final Map<String, String> SETTINGS = Map.of(
            "MALLOC_ARENA_MAX", "1",
            "MALLOC_MMAP_THRESHOLD_", Integer.toString(32 << 20),
            "MALLOC_TRIM_THRESHOLD_", Integer.toString(128 << 20));

    private Malloc() {}
}
