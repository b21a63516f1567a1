package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import org.fleetgrad.protocol.messages.PutAccuracyRequest;

/** Who wants to know the outcome of an evaluation. */
@FunctionalInterface
public interface AccuracySink {

    /** Tells the outcome; 409 says that the evaluated version's history is gone. */
    void report(PutAccuracyRequest evaluation) throws IOException;
}
