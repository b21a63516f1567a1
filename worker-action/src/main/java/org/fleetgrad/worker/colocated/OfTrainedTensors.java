package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ServedNetwork;
import org.jspecify.annotations.Nullable;

/** Answers with a reader of the trained network's own tensors: the common base of the two modes without a copy. */
abstract class OfTrainedTensors implements Answering {

    /** Fair. It is held to compute an answer, and to close a reader. */
    private final Lock turn = new ReentrantLock(true);

    private volatile @Nullable Reading reading;
    private volatile String absence = "no parameters were loaded yet";

    final Lock turn() {
        return turn;
    }

    /** Returns the current reading; null before the first load and after the network was retired. */
    final @Nullable Reading reading() {
        return reading;
    }

    /** From now on answers with what was just loaded; with parameters that cannot be served, nothing is answered. */
    final void read(Network trained, TensorSet parameters) {
        try {
            reading = Reading.of(reading, trained, parameters);
        } catch (IllegalArgumentException unfit) {
            retire();
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    @Override
    public final void retire() {
        turn.lock();
        try {
            Reading last = reading;
            reading = null;
            if (last != null) {
                last.reader().close();
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public final Optional<ServedNetwork> network() {
        return Optional.ofNullable(reading).map(Reading::network);
    }

    @Override
    public final Optional<ParameterVersion> version() {
        return Optional.ofNullable(reading).map(Reading::version);
    }

    @Override
    public final String absence() {
        return absence;
    }
}
