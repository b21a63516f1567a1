package org.fleetgrad.ps.web.exchange;

/** A hot route: one method on one path, on the fast path of {@link FastPath}. */
interface ExchangeHandler {

    /** Returns its method, in capitals. */
    String method();

    /** Returns its path. */
    String path();

    /** Answers a request of its method, now or later; may refuse it. */
    void handle(Exchange exchange);
}
