package org.fleetgrad.networks.layer;

/** An argument of a network is wrong, whatever dataset the network is for: no such number or word, or no such pair of them. */
public final class WrongArgumentException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param message names the argument, what it must be, and what it is */
    public WrongArgumentException(String message) {
        super(message);
    }
}
