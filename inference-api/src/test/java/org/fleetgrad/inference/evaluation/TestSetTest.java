package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.inference.model.ImageShape;
import org.junit.jupiter.api.Test;

class TestSetTest {

    @Test
    void shouldRejectShardOfAnotherNetwork() {
        TestSet testSet = TestSet.of(TinyShards.shard(2));

        assertThat(testSet.requireFor(new ImageShape(1, 1, 2), 2)).isEqualTo(testSet);
        assertThatThrownBy(() -> testSet.requireFor(new ImageShape(1, 28, 28), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the test shard has images of [1, 1, 2] in 2 classes,"
                        + " the network takes 1 x 28 x 28 in 10 classes");
        assertThatThrownBy(() -> testSet.requireFor(new ImageShape(1, 1, 2), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the test shard has images of [1, 1, 2] in 2 classes,"
                        + " the network takes 1 x 1 x 2 in 1 classes");
    }

    @Test
    void shouldNameTheOutputsThatTheShardHasNoClassFor() {
        TestSet testSet = TestSet.of(TinyShards.shard(2)).requireFor(new ImageShape(1, 1, 2), 4);

        assertThat(testSet.description().classes()).containsExactly("no", "yes", "output 2", "output 3");
    }
}
