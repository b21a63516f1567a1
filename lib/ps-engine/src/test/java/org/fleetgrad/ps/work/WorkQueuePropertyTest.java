package org.fleetgrad.ps.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.work.WorkQueue.Assignment;

class WorkQueuePropertyTest {

    private static WorkPlan plan(Random random, int epochs) {
        List<PlannedShard> shards = IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(i -> new PlannedShard("s" + i, "file:///s" + i, 1 + random.nextInt(9)))
                .toList();
        return new WorkPlan("d", epochs, shards);
    }

    /** Workers take shards, train, give them back, die and rejoin in any order. */
    @Property(tries = 500)
    void shouldTrainEverySampleOnceWhateverWorkersDo(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int epochs) {
        Random random = new Random(seed);
        WorkPlan plan = plan(random, epochs);
        WorkQueue queue = new WorkQueue();
        queue.begin(plan);
        Map<String, Integer> trained = new HashMap<>();

        for (int turn = 0; !queue.isDone(); turn++) {
            assertThat(turn).as("turns").isLessThan(100_000);
            String worker = "w" + random.nextInt(5);
            switch (random.nextInt(5)) {
                case 0 -> queue.release(worker);
                case 1 -> queue.restore(queue.state());
                default -> train(queue, worker, random, trained);
            }
        }

        assertThat(trained.values()).containsOnly(1);
        assertThat(trained).hasSize((int) (epochs * plan.samplesPerEpoch()));
        assertThat(queue.figures().orElseThrow().samples()).isEqualTo(epochs * plan.samplesPerEpoch());
        assertThat(queue.figures().orElseThrow().done())
                .isEqualTo((long) epochs * plan.shards().size());
        assertThat(queue.free()).isEmpty();
    }

    /** The same with shards that are added at any time. */
    @Property(tries = 300)
    void shouldTrainEverySampleOfAddedShardsOnceToo(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int epochs) {
        Random random = new Random(seed);
        WorkPlan plan = plan(random, epochs);
        WorkQueue queue = new WorkQueue();
        queue.begin(plan);
        Map<String, Integer> trained = new HashMap<>();
        long number = -1;
        long added = 0;

        for (int turn = 0; !queue.isDone(); turn++) {
            assertThat(turn).as("turns").isLessThan(100_000);
            String worker = "w" + random.nextInt(5);
            switch (random.nextInt(6)) {
                case 0 -> queue.release(worker);
                case 1 -> queue.restore(queue.state());
                case 2 -> {
                    long next = number + 1 + random.nextInt(3);
                    PlannedShard shard = new PlannedShard("f" + next, "file:///f", 1 + random.nextInt(4));
                    if (queue.addRefusal(shard, 0.5).isEmpty()) {
                        queue.add(next, shard);
                        number = next;
                        added += shard.samples();
                    }
                }
                default -> train(queue, worker, random, trained);
            }
        }

        assertThat(trained.values()).allMatch(times -> times == 1);
        assertThat(trained).hasSize((int) (epochs * plan.samplesPerEpoch() + added));
        assertThat((double) added).isLessThanOrEqualTo(0.5 * (double) (epochs * plan.samplesPerEpoch()));
        assertThat(queue.figures().orElseThrow().samples()).isEqualTo(epochs * plan.samplesPerEpoch());
        assertThat(queue.figures().orElseThrow().added().map(WorkQueue.AddedFigures::samples))
                .isEqualTo(number < 0 ? Optional.empty() : Optional.of(added));
    }

    private static void train(WorkQueue queue, String worker, Random random, Map<String, Integer> trained) {
        Optional<Assignment> has = queue.heldBy(worker);
        if (has.isEmpty()) {
            queue.free().ifPresent(free -> queue.lease(worker, free.cursor()));
            return;
        }
        Cursor from = has.get().cursor();
        int count = 1 + random.nextInt((int) (has.get().shard().samples() - from.sample()));
        Cursor reached = from.plus(count);
        assertThat(queue.refusal(worker, reached, count)).isEmpty();
        queue.advance(worker, reached);
        for (long sample = from.sample(); sample < reached.sample(); sample++) {
            trained.merge(new Cursor(from.epoch(), from.shard(), sample).toString(), 1, Integer::sum);
        }
    }

    @Property(tries = 500)
    void shouldBeWhereOneWorkerInOrderWouldBe(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int epochs, @ForAll @IntRange(max = 120) int count) {
        WorkPlan plan = plan(new Random(seed), epochs);
        WorkQueue inOrder = new WorkQueue();
        inOrder.begin(plan);
        for (int left = count; left > 0 && !inOrder.isDone(); left--) {
            if (inOrder.heldBy("w").isEmpty()) {
                inOrder.lease("w", inOrder.free().orElseThrow().cursor());
            }
            inOrder.advance("w", inOrder.heldBy("w").orElseThrow().cursor().plus(1));
        }
        inOrder.release("w");
        WorkQueue stated = new WorkQueue();
        stated.begin(plan);

        stated.advanceTo(count);

        assertThat(stated.state()).isEqualTo(inOrder.state());
        assertThat(stated.free()).isEqualTo(inOrder.free());
    }

    @Property(tries = 500)
    void shouldTakeNothingButWhatComesNext(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 12) int sample,
            @ForAll @IntRange(min = 1, max = 12) int count) {
        Random random = new Random(seed);
        WorkQueue queue = new WorkQueue();
        queue.begin(plan(random, 2));
        Cursor first = queue.free().orElseThrow().cursor();
        queue.lease("w", first);
        long size = queue.heldBy("w").orElseThrow().shard().samples();

        boolean isNext = sample == count && sample <= size;
        assertThat(queue.refusal("w", first.plus(sample), count).isEmpty()).isEqualTo(isNext);
        List<Cursor> elsewhere = new ArrayList<>(List.of(new Cursor(1, 0, count), new Cursor(0, 1, count)));
        assertThat(elsewhere).allMatch(other -> queue.refusal("w", other, count).isPresent());
        assertThat(queue.refusal("other", first.plus(count), count)).isPresent();
    }
}
