package org.fleetgrad.ensemble;

import java.net.URI;

/**
 * A worker that serves predictions.
 *
 * @param worker  id under which it registered last
 * @param address at which it serves
 */
record Member(String worker, URI address) {

    URI predict() {
        return URI.create(address.toString().replaceFirst("/+$", "") + "/predict");
    }
}
