package org.fleetgrad.pipelineruns.control;

import org.fleetgrad.pipeline.run.StageMessage;

/** An event of a stage, as the driver sees it. */
public sealed interface StageEvent {

    /** Returns the stage. */
    int stage();

    /** It sent a message. */
    record Said(int stage, StageMessage message) implements StageEvent {}

    /** Its connection ended, though the run is not over. */
    record Gone(int stage, String how) implements StageEvent {}
}
