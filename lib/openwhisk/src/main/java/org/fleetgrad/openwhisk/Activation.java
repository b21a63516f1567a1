package org.fleetgrad.openwhisk;

/** The state of an activation, as the controller knows it. */
public sealed interface Activation {

    /** No record is stored: the activation waits or runs, its record is not written yet, or the id never existed. */
    record NotYet() implements Activation {}

    /**
     * The activation has ended.
     *
     * @param record its stored record
     */
    record Ended(ActivationRecord record) implements Activation {}
}
