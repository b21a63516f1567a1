package org.fleetgrad.cli.pipeline.control;

import org.fleetgrad.pipeline.run.StageMessage;

/** Something that the driver hears of a stage. */
public sealed interface StageEvent {

    /** Returns the stage. */
    int stage();

    /** It said something. */
    record Said(int stage, StageMessage message) implements StageEvent {}

    /** Its connection ended, though the run is not over. */
    record Gone(int stage, String how) implements StageEvent {}
}
