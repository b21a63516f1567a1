package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;

/** Receives the outcomes of evaluations. */
@FunctionalInterface
public interface AccuracySink {

    /** Reports an outcome; 409 means that the history of the evaluated version is gone. */
    void report(PutAccuracyRequest evaluation) throws IOException;
}
