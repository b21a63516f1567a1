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
abstract class TrainedTensorsPredictor implements ColocatedPredictor {

    /** Fair. It is held to compute an answer, and to close a reader. */
    private final Lock lock = new ReentrantLock(true);

    private volatile @Nullable LiveVersion live;
    private volatile String absence = "no parameters were loaded yet";

    final Lock lock() {
        return lock;
    }

    /** Returns the current version; null before the first load and after the network was retired. */
    final @Nullable LiveVersion live() {
        return live;
    }

    /** From now on answers with what was just loaded; with parameters that cannot be served, nothing is answered. */
    final void read(Network trained, TensorSet parameters) {
        try {
            live = LiveVersion.of(live, trained, parameters);
        } catch (IllegalArgumentException unfit) {
            retire();
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    @Override
    public final void retire() {
        lock.lock();
        try {
            LiveVersion last = live;
            live = null;
            if (last != null) {
                last.reader().close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final Optional<ServedNetwork> network() {
        return Optional.ofNullable(live).map(LiveVersion::network);
    }

    @Override
    public final Optional<ParameterVersion> version() {
        return Optional.ofNullable(live).map(LiveVersion::version);
    }

    @Override
    public final String absence() {
        return absence;
    }
}
