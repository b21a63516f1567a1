package org.fleetgrad.ps.persistence;

import java.io.IOException;
import org.fleetgrad.ps.parameters.InitialParameters;

/** The beginning of a run that the store does not have yet. */
@FunctionalInterface
public interface Origin {

    /** The possible beginnings. */
    sealed interface Beginning {

        /** Nothing: the first parameter set that a client puts begins the history. */
        record Empty() implements Beginning {}

        /** A parameter set: the history begins at version 0. */
        record Parameters(InitialParameters parameters) implements Beginning {}

        /** A state of another run: its version and its optimizer continue in a new history. */
        record State(TrainingState state) implements Beginning {}
    }

    Beginning read() throws IOException;
}
