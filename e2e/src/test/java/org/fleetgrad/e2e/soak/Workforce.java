package org.fleetgrad.e2e.soak;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two hundred desks, at each of which one worker after the other works. Of eight workers one is slow, and one is poisoned. */
final class Workforce {

    static final int DESKS = 200;

    private static final int OF_EACH = 8;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(8);
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_END = Duration.ofMinutes(3);
    private static final long STACK_BYTES = 256 << 10;

    private final URI server;
    private final SoakTally tally;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Workforce(URI server, SoakTally tally) {
        this.server = server;
        this.tally = tally;
    }

    void start() {
        for (int desk = 0; desk < DESKS; desk++) {
            int own = desk;
            Thread thread = new Thread(null, () -> sit(own), "desk-" + desk, STACK_BYTES);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void sit(int desk) {
        Random random = new Random(desk);
        SoakWorker.Manner manner = manner(desk, random);
        try {
            for (int number = 0; absent(random); number++) {
                new SoakWorker(desk, DESKS, number, server, tally).work(manner, random);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | AssertionError failed) {
            tally.failed("desk %d: %s".formatted(desk, failed));
        }
    }

    private boolean absent(Random random) throws InterruptedException {
        return pause(Duration.ofMillis(random.nextInt((int) LONGEST_ABSENCE.toMillis())));
    }

    private SoakWorker.Manner manner(int desk, Random random) {
        boolean isSlow = desk % OF_EACH == 0;
        boolean isPoisoned = desk % OF_EACH == 1;
        List<Poison> poisons = Poison.all();
        return new SoakWorker.Manner() {
            @Override
            public boolean rest() throws InterruptedException {
                long pause = (isSlow ? LONG_PAUSE : PAUSE).toMillis();
                return pause(Duration.ofMillis(pause / 2 + random.nextInt((int) pause)));
            }

            @Override
            public Optional<Poison> poison() {
                return isPoisoned ? Optional.of(poisons.get(random.nextInt(poisons.size()))) : Optional.empty();
            }
        };
    }

    private boolean pause(Duration pause) throws InterruptedException {
        return !over.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets each worker end its push, and waits for all of them. */
    void finish() throws InterruptedException {
        over.countDown();
        long end = System.nanoTime() + LONGEST_END.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            if (thread.isAlive()) {
                tally.failed(thread.getName() + " hangs");
            }
        }
    }
}
