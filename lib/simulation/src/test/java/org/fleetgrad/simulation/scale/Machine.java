package org.fleetgrad.simulation.scale;

import org.fleetgrad.simulation.kernel.Kernel;

/**
 * A machine on a network.
 *
 * @param out   its link, for what it sends
 * @param in    its link, for what it receives
 * @param serve its processors
 * @param apply the one place where a gradient becomes a step
 */
record Machine(Link out, Link in, Station serve, Station apply) {

    static Machine of(Kernel kernel, double bitsASecond, int processors) {
        return new Machine(
                new Link(bitsASecond), new Link(bitsASecond), new Station(kernel, processors), new Station(kernel, 1));
    }
}
