package org.fleetgrad.ps.web.exchange;

import org.fleetgrad.ps.membership.Leases;

/**
 * Renews a worker's lease as bytes of its gradient arrive, so that an upload may take longer than a lease. It is still
 * bounded: each renewal costs {@value #RENEWAL_BYTES} bytes, and a body has no more bytes than it announced. Confined to the
 * request.
 */
final class LeaseByBytes {

    /** Bytes that renew the lease once: with the default lease of 30 s, a client slower than 2.2 KB/s does not stay a member. */
    static final int RENEWAL_BYTES = 1 << 16;

    private final Leases leases;
    private final String worker;
    private long sinceRenewal;

    LeaseByBytes(Leases leases, String worker) {
        this.leases = leases;
        this.worker = worker;
    }

    /** Counts bytes of the body that have arrived. */
    void received(int bytes) {
        sinceRenewal += bytes;
        if (sinceRenewal >= RENEWAL_BYTES) {
            sinceRenewal = 0;
            leases.renew(worker);
        }
    }
}
