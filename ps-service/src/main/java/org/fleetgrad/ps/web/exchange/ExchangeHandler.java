package org.fleetgrad.ps.web.exchange;

/** Handles the requests of one method on one path of the {@link FastPath}. */
interface ExchangeHandler {

    /** Returns its method, in capitals. */
    String method();

    String path();

    /** Returns whether a request has a body of tensors. */
    default boolean takesTensors() {
        return false;
    }

    /** Answers a request of its method, now or later; may refuse it. */
    void handle(Exchange exchange);
}
