package org.fleetgrad.datasets.text;

/** Decodes tokens one after the other. Not thread-safe. */
@FunctionalInterface
public interface IncrementalDecoder {

    /**
     * Returns the characters that are whole now; those that a later token completes wait for it.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    String append(int token);
}
