package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;

/** Takes the values of a body, piece by piece, in the thread that read them. */
interface BodySink {

    /** Takes what the buffer has; may leave a value of which only the beginning is there, which comes again with its rest. */
    void take(ByteBuffer chunk);
}
