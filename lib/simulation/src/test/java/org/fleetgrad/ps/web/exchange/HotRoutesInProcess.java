package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.security.PsRoutes;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.simulation.kernel.Kernel;
import tools.jackson.databind.json.JsonMapper;

/** Assembles the hot routes of a server without a container. */
public final class HotRoutesInProcess {

    private static final MeterRegistry METERS = new SimpleMeterRegistry();
    private static final RequestMeters REQUESTS = new RequestMeters(METERS);
    private static final long PLENTY = 1L << 40;

    private HotRoutesInProcess() {}

    /** Makes the handler of the hot routes; it handles no other. */
    public static Handler of(
            PsProperties properties,
            Training training,
            PublishedParameters published,
            Leases leases,
            MemoryBudget budget,
            JsonMapper json,
            Kernel kernel) {
        PendingBytes pending = new PendingBytes(new PendingLimit(OptionalLong.of(PLENTY)));
        SlowClients clients = new SlowClients(1, Duration.ofDays(1), () -> SlowClients.Memory.PLENTY, kernel::nanos);
        PushResponse responses = new PushResponse(training, published, clients);
        List<ExchangeHandler> routes = List.of(
                new GetVersion(training, published, new Evaluations()),
                new GetParameter(training, published, clients, new VirtualPolls(kernel)),
                new PutParameter(training, published, clients, budget, new ReceivedBytes(PLENTY), properties),
                new PutGradient(training, published, leases, pending, clients, responses, REQUESTS),
                new CommitGradient(training, leases, responses));
        Guard open = new Guard(PsRoutes.TABLE, Optional.empty(), new Rates(RateLimits.NONE, kernel::nanos));
        return new FastPath(
                new Handler.Wrapper(),
                routes,
                open,
                training,
                leases,
                new Exchange.Tools(
                        json,
                        REQUESTS,
                        clients,
                        new HeaderCache(),
                        properties.maxBody().toBytes()));
    }

    private record VirtualPolls(Kernel kernel) implements LongPolls {

        @Override
        public long nanos() {
            return kernel.nanos();
        }

        @Override
        public CompletableFuture<Void> endAfter(CompletableFuture<Void> change, long nanos) {
            kernel.after(Duration.ofNanos(nanos), () -> change.complete(null));
            return change;
        }
    }
}
