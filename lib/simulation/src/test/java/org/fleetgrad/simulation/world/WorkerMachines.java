package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.simulation.worker.SimulatedWorker;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.jspecify.annotations.Nullable;

/** The machines of a world's workers. */
final class WorkerMachines {

    private static final Duration LONGEST_RESTART = Duration.ofSeconds(20);

    private final Kernel kernel;
    private final WorkersPlan plan;
    private final Supplier<ParameterServers> clients;
    private final BooleanSupplier isOver;
    private final List<Machine> machines = new ArrayList<>();

    /** A place for one worker at a time, with a clock. */
    private static final class Machine {
        private final VirtualClock clock;
        private @Nullable Fiber process;
        private @Nullable SimulatedWorker worker;

        Machine(VirtualClock clock) {
            this.clock = clock;
        }

        boolean isDone() {
            return process != null && process.isOver() && worker != null && worker.isDone();
        }
    }

    WorkerMachines(Kernel kernel, WorkersPlan plan, Supplier<ParameterServers> clients, BooleanSupplier isOver) {
        this.kernel = kernel;
        this.plan = plan;
        this.clients = clients;
        this.isOver = isOver;
    }

    void start() {
        for (int i = 0; i < plan.count(); i++) {
            machines.add(new Machine(new VirtualClock(kernel)));
            startWorker(i);
        }
    }

    private void startWorker(int index) {
        if (isOver.getAsBoolean()) {
            return;
        }
        Machine machine = machines.get(index);
        Optional<String> id = index % 2 == 0 ? Optional.of("w" + index) : Optional.empty();
        SimulatedWorker worker = new SimulatedWorker(id, clients.get(), training(), machine.clock, kernel, isOver);
        machine.worker = worker;
        machine.process = kernel.start("worker-" + index, worker);
    }

    private SimulatedWorker.Training training() {
        return new SimulatedWorker.Training(
                plan.network(),
                WorkersPlan.BATCH_SIZE,
                new Transfer(
                        Encodings.parse(plan.gradients()),
                        Encodings.parseOfParameters(plan.parameters()),
                        plan.isOverlapping()),
                plan.activation(),
                definition -> new SampleNetwork(definition.spec(), plan.batch()));
    }

    /** Kills a worker; another one starts in its place. */
    void killOne() {
        int index = kernel.random().nextInt(machines.size());
        Fiber process = machines.get(index).process;
        if (process != null && !process.isOver()) {
            process.kill();
            kernel.after(kernel.between(Duration.ZERO, LONGEST_RESTART), () -> startWorker(index));
        }
    }

    /** Returns the clock of one of them. */
    VirtualClock anyClock() {
        return machines.get(kernel.random().nextInt(machines.size())).clock;
    }

    boolean areAllDone() {
        return machines.stream().allMatch(Machine::isDone);
    }

    /** Starts workers anew that were told that all is done: there is work again. */
    void startThoseThatAreDone() {
        for (int i = 0; i < machines.size(); i++) {
            if (machines.get(i).isDone()) {
                startWorker(i);
            }
        }
    }

    @Override
    public String toString() {
        return "machines done %s"
                .formatted(machines.stream().map(Machine::isDone).toList());
    }
}
