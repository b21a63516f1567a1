package org.fleetgrad.ps.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.fleetgrad.files.time.SteadyClock;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.operation.HistoryRecorder;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.operation.RunGauges;
import org.fleetgrad.ps.operation.RunReporter;
import org.fleetgrad.ps.operation.RunTicker;
import org.fleetgrad.ps.operation.WantedWorkers;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.MachineMemory;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.web.StartRefusedException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the training and its collaborators. */
@Configuration
class TrainingConfiguration {

    private static final int ID_BYTES = 8;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    RandomGenerator random() {
        return new SecureRandom();
    }

    @Bean
    Leases leases(Clock clock, PsProperties properties, RandomGenerator random) {
        return new Leases(
                SteadyClock.inPlaceOf(clock),
                properties.lease(),
                properties.maxWorkers(),
                () -> "worker-" + id(random));
    }

    @Bean
    MachineMemory machineMemory() {
        return MachineMemory.here();
    }

    @Bean
    PublishedParameters publishedParameters(PsProperties properties, MachineMemory machine) {
        OptionalLong stated = properties.configuredSnapshotBytes();
        SnapshotMemory memory = new SnapshotMemory(stated.orElse(machine.snapshots()), stated.isPresent());
        return new PublishedParameters(properties.maxAliveSnapshots(), memory);
    }

    @Bean
    Evaluations evaluations() {
        return new Evaluations();
    }

    @Bean
    RunEvents runEvents() {
        return new RunEvents();
    }

    @Bean
    RunHistory runHistory() {
        return new RunHistory();
    }

    @Bean
    WantedWorkers wantedWorkers() {
        return new WantedWorkers();
    }

    @Bean
    MemoryBudget memoryBudget(PsProperties properties, MachineMemory machine) {
        return new MemoryBudget(
                properties::training,
                properties.pendingLimit(),
                properties.durability().isDurable(),
                machine.heap(),
                machine.snapshots(),
                properties.configuredSnapshotBytes());
    }

    @Bean
    TrainingListener runReporter(RunEvents events, Evaluations evaluations, MemoryBudget budget, MeterRegistry meters) {
        return new RunReporter(
                events,
                evaluations,
                // A persisted run that cannot work here aborts the start.
                budget::require,
                meters);
    }

    @Bean
    Training training(
            PsProperties properties,
            PublishedParameters published,
            Leases leases,
            RandomGenerator random,
            RunHistory course,
            TrainingListener listener,
            TrainingStore store,
            Origin origin,
            Evaluations evaluations,
            WantedWorkers wanted,
            MeterRegistry meters) {
        TrainingSettings settings;
        try {
            settings = properties.training();
        } catch (IllegalArgumentException refused) {
            throw new StartRefusedException(String.valueOf(refused.getMessage()), refused);
        }
        Training training =
                new Training(settings, () -> id(random), published, leases, course, listener, store, origin);
        RunGauges.register(training, published, leases, evaluations, wanted, meters);
        return training;
    }

    @Bean
    RunTicker runTicker(
            Leases leases,
            Training training,
            PublishedParameters published,
            RunEvents events,
            RunHistory course,
            WantedWorkers wanted,
            Clock clock) {
        HistoryRecorder recorder = new HistoryRecorder(course, training, published, leases, wanted, clock);
        return new RunTicker(leases, training, published, events, recorder).start();
    }

    @Bean
    ShutdownListener shutdownListener(PublishedParameters published, RunEvents events) {
        return new ShutdownListener(published, events);
    }

    private static String id(RandomGenerator random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
