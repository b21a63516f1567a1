package org.fleetgrad.testing;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock for tests, which define what {@link #instant} returns. */
public abstract class UtcClock extends Clock {

    @Override
    public final ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public final Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("this clock tells UTC only, asked was " + zone);
    }
}
