package org.fleetgrad.ps.training;

import java.io.IOException;

/** What a run begins from when nothing of it was kept. */
@FunctionalInterface
public interface Origin {

    /** What there is to begin from. */
    sealed interface Beginning {

        /** Nothing: the first parameter set that is put begins the history. */
        record Empty() implements Beginning {}

        /** A parameter set: the history begins at version 0. */
        record Parameters(InitialParameters parameters) implements Beginning {}

        /** A state of another run: its version and its optimizer go on in a history of their own. */
        record State(TrainingState state) implements Beginning {}
    }

    /** Reads it. */
    Beginning read() throws IOException;
}
