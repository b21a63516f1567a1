package org.fleetgrad.e2e;

import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TimeBudget;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.WarmState;

/** What a worker in the JVM of a test needs besides its task. */
public final class WorkerHere {

    private WorkerHere() {}

    public static Identity identity(String id) {
        return new Identity(Optional.of(id), "", "cpu", OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the tools of a worker; {@code networks} opens what is computed with. */
    public static Tools tools(ParameterServers servers, Function<NetworkDefinition, Network> networks) {
        return new Tools(
                servers,
                networks,
                new ShardSource(ShardLimits.DEFAULT),
                new TimeBudget(Clock.systemUTC()),
                new WarmState(),
                () -> false);
    }
}
