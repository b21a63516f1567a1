package org.fleetgrad.optim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.optim.StalenessCases.Case;

/**
 * A parameter server and its workers on a simulated clock: each worker pulls, computes for a while, pushes. The same
 * seed gives the same run.
 */
final class SimulatedFleet {

    /** The duration of one gradient. */
    interface ServiceTimes extends ToDoubleFunction<Random> {

        /** All workers equally fast: they push in turn. */
        ServiceTimes EQUAL = random -> 1;

        /**
         * Gamma with shape 100 and scale 1.28, so that a batch of 128 takes 128 on average: DANA's model of a fleet.
         */
        ServiceTimes GAMMA = random -> {
            double sum = 0;
            for (int i = 0; i < 100; i++) {
                sum -= StrictMath.log(1 - random.nextDouble());
            }
            return 1.28 * sum;
        };
    }

    /** The function that is minimized. */
    interface Problem {
        /** Returns the gradient at a point, with noise. */
        float[] gradient(float[] point, Random noise);
    }

    private record Push(double time, int worker) {}

    private static final class Worker {
        private final Random random;
        private final WorkerMomentum momentum;
        private float[] base;
        private long version;

        Worker(Random random, float momentum, float[] start) {
            this.random = random;
            this.momentum = new WorkerMomentum(momentum, start.length);
            this.base = start.clone();
        }
    }

    private final Problem problem;
    private final ServiceTimes times;
    private final StalenessAwareOptimizer optimizer;
    private final float workerMomentum;
    private final LearningRateSchedule schedule;
    private final float[] parameters;
    private final List<Worker> workers = new ArrayList<>();
    private final PriorityQueue<Push> pushes =
            new PriorityQueue<>(Comparator.comparingDouble(Push::time).thenComparing(Push::worker));
    private final List<Long> stalenesses = new ArrayList<>();
    private final List<Integer> order = new ArrayList<>();
    private long version;

    SimulatedFleet(
            Case one,
            LearningRateSchedule schedule,
            int workers,
            ServiceTimes times,
            Problem problem,
            float[] start,
            long seed) {
        this.problem = problem;
        this.times = times;
        this.optimizer = one.create(start.length);
        this.workerMomentum = one.rule().workerMomentum(one.optimizer());
        this.schedule = schedule;
        this.parameters = start.clone();
        for (int i = 0; i < workers; i++) {
            Worker worker = new Worker(new Random(seed + i), workerMomentum, start);
            this.workers.add(worker);
            pushes.add(new Push(times.applyAsDouble(worker.random), i));
        }
    }

    /** Runs the workers until they made {@code steps} pushes; each push makes a step. */
    SimulatedFleet run(int steps) {
        for (int i = 0; i < steps; i++) {
            Push push = pushes.remove();
            Worker worker = workers.get(push.worker());
            String id = "w" + push.worker();
            float[] gradient = problem.gradient(worker.base, worker.random);
            if (workerMomentum > 0) {
                worker.momentum.apply(gradient);
            }
            stalenesses.add(version - worker.version);
            order.add(push.worker());
            float rate = schedule.at(version);
            optimizer.arrive(id, version - worker.version, gradient, worker.base, parameters, rate);
            optimizer.step(id, parameters, gradient, rate);
            version++;
            worker.base = optimizer.served(parameters, schedule.at(version)).clone();
            worker.version = version;
            pushes.add(new Push(push.time() + times.applyAsDouble(worker.random), push.worker()));
        }
        return this;
    }

    /** Returns the values that a worker would pull now. */
    float[] served() {
        return optimizer.served(parameters, schedule.at(version)).clone();
    }

    float[] parameters() {
        return parameters;
    }

    /** Returns the staleness of each push, in order. */
    List<Long> stalenesses() {
        return stalenesses;
    }

    /** Returns the worker of each push, in order. */
    List<Integer> order() {
        return order;
    }

    RuleState state() {
        return optimizer.state();
    }
}
