package org.fleetgrad.evaluator.export;

/** An exported model does not answer as the network does: a fault of the export, whose file is not kept. */
public final class DifferentAnswersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DifferentAnswersException(String message) {
        super(message);
    }
}
