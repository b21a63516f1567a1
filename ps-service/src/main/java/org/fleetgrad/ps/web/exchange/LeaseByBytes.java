package org.fleetgrad.ps.web.exchange;

import org.fleetgrad.ps.membership.Leases;

/**
 * Keeps a worker's lease running as bytes of its gradient come. So an upload may take longer than a lease. It is bounded
 * nevertheless: each renewal costs {@value #RENEWAL_BYTES} bytes, and a body has no more bytes than it announced. Belongs to the request.
 */
final class LeaseByBytes {

    /** Bytes that renew the lease once: with the default lease of 30 s, less than 2.2 KB/s keeps nobody a member. */
    static final int RENEWAL_BYTES = 1 << 16;

    private final Leases leases;
    private final String worker;
    private long sinceRenewal;

    LeaseByBytes(Leases leases, String worker) {
        this.leases = leases;
        this.worker = worker;
    }

    /** Counts bytes of the body that have come. */
    void came(int bytes) {
        sinceRenewal += bytes;
        if (sinceRenewal >= RENEWAL_BYTES) {
            sinceRenewal = 0;
            leases.renew(worker);
        }
    }
}
