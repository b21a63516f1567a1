package org.fleetgrad.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that a slow, unlucky or hostile client does, while honest workers train: {@code ./mvnw -q -Phostile verify}. */
class HostileSuite {

    private static final long SLOWEST_PUSH_MS = 2_000;
    private static final long SLOWEST_HEALTH_MS = 1_000;
    private static final long TIMEOUT_MS = 30_000;
    private static final long GLANCE_MS = 200;

    private final Tally tally = new Tally();

    @TempDir
    private Path folder;

    private static List<Attack> attacks() {
        String only = System.getProperty("hostile.only", "");
        List<Attack> attacks = new ArrayList<>();
        attacks.addAll(WorkerAttacks.all());
        attacks.addAll(RequestAttacks.all());
        attacks.addAll(ConnectionAttacks.all());
        return attacks.stream().filter(attack -> attack.name().contains(only)).toList();
    }

    @Test
    void shouldTrainOnAndKeepEveryGradientOnceWhateverComes() throws Exception {
        try (Site site = new Site(folder, tally)) {
            site.start();
            site.workers().start();
            // The first pushes compile what the others run.
            site.workers().goOnFor(3_000);
            site.workers().takeSlowestMs();
            for (Attack attack : attacks()) {
                attack(site, attack);
            }
            site.workers().finish();
            site.workers().compare();
            // What was acknowledged can also be read.
            site.killServer();
            site.workers().compare();
        } finally {
            System.out.println(tally);
        }

        assertThat(tally.failures()).as(tally.toString()).isEmpty();
    }

    private void attack(Site site, Attack attack) throws IOException, InterruptedException {
        HealthWatch health = new HealthWatch(site);
        Thread watch = new Thread(health, "health");
        watch.start();
        long before = site.workers().acknowledged();
        long begin = System.nanoTime();
        long refused = 0;
        try {
            refused = attack.action().against(site);
        } catch (Exception | AssertionError failed) {
            tally.failed("%s: %s".formatted(attack.name(), failed));
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        long pushes = site.workers().acknowledged() - before;
        health.end();
        watch.join();
        tally.attacked(refused);
        List<String> deaths = site.deaths();
        deaths.forEach(death -> tally.died("%s: %s".formatted(attack.name(), death)));
        site.start();
        if (!site.workers().goOn(TIMEOUT_MS)) {
            tally.failed("%s: a worker did not push within %d ms after it".formatted(attack.name(), TIMEOUT_MS));
        }
        long slowest = site.workers().takeSlowestMs();
        System.out.printf(
                "%s: refused=%d pushes=%d in %d ms slowestHonestPushMs=%d slowestHealthMs=%d deaths=%d memory=%s%n",
                attack.name(), refused, pushes, millis, slowest, health.slowestMs(), deaths.size(), memory(site));
        if (slowest > SLOWEST_PUSH_MS) {
            tally.failed("%s: a push took %d ms".formatted(attack.name(), slowest));
        }
        if (health.slowestMs() > SLOWEST_HEALTH_MS) {
            tally.failed("%s: health took %d ms".formatted(attack.name(), health.slowestMs()));
        }
    }

    private static List<String> memory(Site site) throws IOException {
        List<String> memory = new ArrayList<>();
        for (String program : Site.PROGRAMS) {
            memory.add("%s %d MiB".formatted(program, site.megabytes(program)));
        }
        return memory;
    }

    /** Asks both services again and again whether they live. */
    private static final class HealthWatch implements Runnable {

        private final Site site;
        private final CountDownLatch over = new CountDownLatch(1);
        private final AtomicLong slowestMs = new AtomicLong();

        HealthWatch(Site site) {
            this.site = site;
        }

        @Override
        public void run() {
            try {
                while (!over.await(GLANCE_MS, TimeUnit.MILLISECONDS)) {
                    for (String program : Site.PROGRAMS) {
                        long begin = System.nanoTime();
                        boolean unused = site.isHealthy(program);
                        slowestMs.accumulateAndGet(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin), Math::max);
                    }
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        }

        void end() {
            over.countDown();
        }

        long slowestMs() {
            return slowestMs.get();
        }
    }
}
