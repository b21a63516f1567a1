package org.fleetgrad.files;

import java.security.Security;

/**
 * How long this JVM caches DNS lookups. A restarted server may have another address, and no name at all for a moment.
 * The JDK's defaults, 10 s for a missing name and 30 s for an address, would stop all its workers for that long.
 */
public final class NameLookups {

    private static final String FOUND_SECONDS = "5";
    private static final String MISSING_SECONDS = "0";

    private NameLookups() {}

    /** Shortens the caching. Applies to the whole JVM: programs call it first, before any name lookup. */
    public static void shortenCaching() {
        Security.setProperty("networkaddress.cache.ttl", FOUND_SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", MISSING_SECONDS);
    }
}
