package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoresTest {

    private static final int MANY = (1 << 19) + 13;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, (1 << 19) - 1, 1 << 19, MANY, 3 << 18})
    void shouldTakeEveryElementOnce(int size) {
        int[] times = new int[size];

        Cores.each(size, (from, to) -> {
            for (int i = from; i < to; i++) {
                times[i]++;
            }
        });

        assertThat(times).containsOnly(size == 0 ? new int[0] : new int[] {1});
    }

    @Test
    void shouldKeepFewElementsInOnePiece() {
        AtomicInteger pieces = new AtomicInteger();

        Cores.each(62_000, (from, to) -> pieces.incrementAndGet());

        assertThat(pieces).hasValue(1);
    }

    /** With as many threads as cores, or more, each has its own core only. */
    @Test
    void shouldStayInItsOwnThreadWhereAllCoresAreShared() throws Exception {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        int[] times = new int[MANY];
        Thread stage = new Thread(() -> {
            Cores.shareAmong(Runtime.getRuntime().availableProcessors());
            Cores.each(MANY, (from, to) -> {
                used.add(Thread.currentThread());
                for (int i = from; i < to; i++) {
                    times[i]++;
                }
            });
        });
        stage.start();
        stage.join();

        assertThat(used).containsExactly(stage);
        assertThat(times).containsOnly(1);
    }

    @Test
    void shouldThrowWhatAPieceThrows() {
        assertThatThrownBy(() -> Cores.each(MANY, (from, to) -> {
                    if (to == MANY) {
                        throw new IllegalStateException("the last");
                    }
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldStepToTheSameBitsAsOneCore() {
        for (OptimizerSettings settings : new OptimizerSettings[] {
            new SgdSettings(0.9f, 0, false, 1e-4f), new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true)
        }) {
            Random random = new Random(1);
            float[] onAll = new float[MANY];
            float[] gradient = new float[MANY];
            for (int i = 0; i < MANY; i++) {
                onAll[i] = random.nextFloat();
                gradient[i] = random.nextFloat() - 0.5f;
            }
            float[] onOne = onAll.clone();
            Optimizer all = Optimizer.create(settings, MANY);
            Optimizer one = Optimizer.create(settings, MANY);
            for (int step = 0; step < 3; step++) {
                all.step(onAll, gradient, 0.01f);
                one.beginStep(0.01f).apply(onOne, gradient, 0, MANY);
            }
            assertThat(onAll).isEqualTo(onOne);
        }
    }
}
