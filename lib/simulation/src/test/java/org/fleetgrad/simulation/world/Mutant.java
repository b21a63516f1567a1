package org.fleetgrad.simulation.world;

import java.util.function.UnaryOperator;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.simulation.disk.ForgetfulDisk;

/** A fault that tests put into a world, to see that it is found. */
enum Mutant {
    /** The program as it is. */
    NONE,
    /** The disk is never told to force. */
    NO_FSYNC {
        @Override
        void prepare(ForgetfulDisk disk) {
            disk.skipForce();
        }
    };

    void prepare(ForgetfulDisk disk) {}

    UnaryOperator<TrainingStore> store(ForgetfulDisk disk) {
        return UnaryOperator.identity();
    }
}
