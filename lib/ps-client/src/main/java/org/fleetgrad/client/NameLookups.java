package org.fleetgrad.client;

import java.security.Security;

/**
 * How long this JVM believes what it was told of a host's name. A server that is started again may have another address, and no
 * name at all for a moment. The JDK's defaults, 10 s for a name that is not there and 30 s for an address, would stop all its
 * workers for so long.
 */
public final class NameLookups {

    private static final String FOUND_SECONDS = "5";
    private static final String MISSING_SECONDS = "0";

    private NameLookups() {}

    /** Asks again soon. Counts for the whole JVM: programs call it first, before anything looks up a name. */
    public static void askAgainSoon() {
        Security.setProperty("networkaddress.cache.ttl", FOUND_SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", MISSING_SECONDS);
    }
}
