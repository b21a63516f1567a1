package org.fleetgrad.e2e.hostile;

/**
 * What a stranger or a bad worker does to the services.
 *
 * @param name   for people
 * @param action does it, and lets go again
 */
record Attack(String name, Action action) {

    /** Attacks a site. */
    @FunctionalInterface
    interface Action {

        /** Attacks, and returns how many requests the site refused: by an answer of 4xx or 5xx, or by closing the connection. */
        long against(Site site) throws Exception;
    }
}
