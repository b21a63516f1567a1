package org.fleetgrad.cli.place;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.invoker.Invoker;
import org.fleetgrad.cli.settings.RunSettings;
import org.fleetgrad.client.ServerAddresses;

/** Where a run's workers are, and what follows from it for everything that they must reach. */
public interface WorkerPlace extends AutoCloseable {

    /** Returns the address that the parameter server listens on. */
    String serverAddress();

    /** Returns the keys of the run, where its server can be reached by more than this machine's own programs. */
    Optional<RunKeys> keys();

    /** Returns the parameter server's settings that the place asks for, where the user says nothing. */
    Map<String, String> serverDefaults();

    /** Returns where a worker finds a shard. */
    String shardUrl(Path shard) throws IOException;

    /** Makes the workers, each behind its invoker; they need not be up yet. */
    List<? extends Invoker> workers(RunSettings settings, ServerAddresses servers) throws IOException;

    @Override
    void close();
}
