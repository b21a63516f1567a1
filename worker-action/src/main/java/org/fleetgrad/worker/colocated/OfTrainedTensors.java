package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ServedNetwork;
import org.jspecify.annotations.Nullable;

/** Answers with a reader of the trained network's own tensors: what the two places without a copy have in common. */
abstract class OfTrainedTensors implements Answering {

    /** Fair. Each answer is computed with it, and a reader is closed with it. */
    private final Lock turn = new ReentrantLock(true);

    private volatile @Nullable Reading reading;
    private volatile String absence = "no parameters were loaded yet";

    final Lock turn() {
        return turn;
    }

    /** Returns what answers now; null before the first load and after the network was retired. */
    final @Nullable Reading reading() {
        return reading;
    }

    /** Reads from now on what was just loaded; parameters that cannot be served leave nothing to answer with. */
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
