package org.fleetgrad.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.cli.run.ShardQueue.Work;
import org.junit.jupiter.api.Test;

class ShardQueueTest {

    private static final List<Path> SHARDS = List.of(Path.of("a"), Path.of("b"), Path.of("c"));

    @Test
    void shouldHandOutEveryShardOnceAnEpochInOrder() {
        ShardQueue queue = new ShardQueue(SHARDS, 2);

        assertThat(takeAll(queue, 100))
                .containsExactly(
                        new Work(0, SHARDS.get(0)),
                        new Work(0, SHARDS.get(1)),
                        new Work(0, SHARDS.get(2)),
                        new Work(1, SHARDS.get(0)),
                        new Work(1, SHARDS.get(1)),
                        new Work(1, SHARDS.get(2)));
        assertThat(queue.resume()).isFalse();
    }

    @Test
    void shouldLoseNoWorkOverAPause() {
        ShardQueue queue = new ShardQueue(SHARDS, 1);
        List<Work> taken = new ArrayList<>(takeAll(queue, 1));

        queue.pause();
        assertThat(queue.take()).isEmpty();
        assertThat(queue.resume()).isTrue();
        taken.addAll(takeAll(queue, 100));

        assertThat(taken).extracting(Work::shard).isEqualTo(SHARDS);
    }

    @Test
    void shouldGoOnWithoutEndWhereThereIsNoLastEpoch() {
        ShardQueue queue = new ShardQueue(SHARDS, 0);

        assertThat(takeAll(queue, 1000)).hasSize(1000).last().isEqualTo(new Work(333, SHARDS.get(0)));
        assertThat(queue.resume()).isTrue();
    }

    private static List<Work> takeAll(ShardQueue queue, int most) {
        List<Work> taken = new ArrayList<>();
        while (taken.size() < most) {
            queue.take().ifPresent(taken::add);
            if (taken.isEmpty() || taken.size() == most || !queue.resume()) {
                break;
            }
        }
        return taken;
    }
}
