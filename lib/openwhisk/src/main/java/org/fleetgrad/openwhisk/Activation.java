package org.fleetgrad.openwhisk;

/** What a controller knows of an activation. */
public sealed interface Activation {

    /** Nothing is stored yet: it waits, it runs, its record is on its way, or there never was one of this id. */
    record NotYet() implements Activation {}

    /**
     * It is over.
     *
     * @param record what is stored of it
     */
    record Ended(ActivationRecord record) implements Activation {}
}
