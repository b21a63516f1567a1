package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.OptionalLong;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.SlowClientProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the hot routes. */
@Configuration
class ExchangeConfiguration {

    @Bean
    EncodedGradient.Buffers bodyBuffers() {
        return new EncodedGradient.Buffers();
    }

    @Bean
    RequestMeters requestMeters(MeterRegistry meters) {
        return new RequestMeters(meters);
    }

    @Bean
    PendingBytes pendingBytes(PsProperties properties, MeterRegistry meters) {
        PendingBytes pending = new PendingBytes(properties.pendingLimit());
        Gauge.builder("ps.pending.bytes", pending, now -> (double) now.held())
                .description("Memory of gradients that the server is reading or applying")
                .register(meters);
        return pending;
    }

    @Bean
    SlowClients slowClients(PsProperties properties, PublishedParameters published, PendingBytes pending) {
        SlowClientProperties wanted = properties.slowClient();
        return new SlowClients(
                        wanted.rate().toBytes(),
                        wanted.gracePeriod(),
                        () -> memory(published, pending, wanted.gracePeriod()),
                        System::nanoTime)
                .start();
    }

    private static SlowClients.Memory memory(
            PublishedParameters published, PendingBytes pending, Duration gracePeriod) {
        OptionalLong skipped = published.skippedSince();
        if (skipped.isPresent() && System.nanoTime() - skipped.getAsLong() > gracePeriod.toNanos()) {
            return SlowClients.Memory.NONE_FOR_VERSIONS;
        }
        return published.isAtCapacity() || pending.isShort() ? SlowClients.Memory.SHORT : SlowClients.Memory.PLENTY;
    }

    @Bean
    ExchangeHandler getVersion(Training training, PublishedParameters published, Evaluations evaluations) {
        return new GetVersion(training, published, evaluations);
    }

    @Bean
    ExchangeHandler getParameter(Training training, PublishedParameters published, SlowClients clients) {
        return new GetParameter(training, published, clients);
    }

    @Bean
    ExchangeHandler putParameter(
            Training training,
            PublishedParameters published,
            SlowClients clients,
            MemoryBudget budget,
            PsProperties properties) {
        // An arriving parameter set is not part of the training yet: it may use the heap that the training does not
        // need, and no more.
        ReceivedBytes arrived = new ReceivedBytes(Runtime.getRuntime().maxMemory() / 2);
        return new PutParameter(
                training,
                published,
                arrived,
                clients,
                budget,
                properties.maxBody().toBytes());
    }

    @Bean
    PushResponse pushResponse(Training training, PublishedParameters published, SlowClients clients) {
        return new PushResponse(training, published, clients);
    }

    @Bean
    ExchangeHandler putGradient(
            Training training,
            PublishedParameters published,
            Leases leases,
            EncodedGradient.Buffers bodies,
            PendingBytes pending,
            SlowClients clients,
            PushResponse responses,
            RequestMeters meters) {
        // Bytes that large gradients have sent before they earn their share of the memory for gradients.
        ReceivedBytes beginnings = new ReceivedBytes(Runtime.getRuntime().maxMemory() / 8);
        return new PutGradient(training, published, leases, bodies, pending, beginnings, clients, responses, meters);
    }

    @Bean
    ExchangeHandler commitGradient(Training training, Leases leases, PushResponse responses) {
        return new CommitGradient(training, leases, responses);
    }
}
