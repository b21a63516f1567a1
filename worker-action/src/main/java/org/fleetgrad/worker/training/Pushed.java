package org.fleetgrad.worker.training;

import org.fleetgrad.client.PullResult.Pulled;

/**
 * The outcome of a push.
 *
 * @param parameters the parameters to go on with
 * @param fate       whether the gradient counts
 */
record Pushed(Pulled parameters, Fate fate) {

    /** Whether the gradient counts. */
    enum Fate {
        /** The server accepted it. */
        COUNTED,
        /** The server dropped it: it arrived too late. */
        DROPPED,
        /** The server dropped it: its samples do not continue the worker's position. */
        ELSEWHERE
    }

    static Pushed counted(Pulled parameters) {
        return new Pushed(parameters, Fate.COUNTED);
    }

    static Pushed dropped(Pulled parameters) {
        return new Pushed(parameters, Fate.DROPPED);
    }

    static Pushed elsewhere(Pulled parameters) {
        return new Pushed(parameters, Fate.ELSEWHERE);
    }
}
