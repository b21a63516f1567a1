package org.fleetgrad.runs.place;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.settings.RunSettings;

/** The place of a run's workers, and how they reach the parameter server and the shards. */
public interface WorkerPlace extends AutoCloseable {

    /** Returns the address that the parameter server listens on. */
    String serverAddress();

    /** Returns the run's keys; empty if only programs of this machine can reach its server. */
    Optional<RunKeys> keys();

    /** Returns the address from which a worker reads a shard. */
    String shardUrl(Path shard) throws IOException;

    /** Creates the invokers, one for each worker; the workers need not be running yet. */
    List<? extends Invoker> workers(RunSettings settings, ServerAddresses servers) throws IOException;

    @Override
    void close();
}
