package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;

/** Takes the values of a body, chunk by chunk, in the thread that read them. */
interface BodySink {

    /** Takes what the buffer has. It may leave an incomplete last value, which is passed again with its remaining bytes. */
    void take(ByteBuffer chunk);
}
