package org.fleetgrad.protocol.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions of a set with frozen tensors: each server leaves its own pieces of them out. */
class FrozenPartitionsTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("a", 50), TensorSpec.f32("b", 3, 10), TensorSpec.f32("c", 120), TensorSpec.f32("d", 7)));

    @ParameterizedTest
    @CsvSource({"a, 3", "b, 2", "c, 3", "d, 5", "a+c, 3", "b+c+d, 4", "a+b+d, 7"})
    void shouldJoinTheTrainablePartsToTheTrainableVector(String names, int servers) {
        FrozenTensors frozen = new FrozenTensors(new TreeSet<>(List.of(names.split("\\+"))));
        float[] all = new float[(int) LAYOUT.elementCount()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i + 1;
        }
        float[] trainable = TrainableValues.of(LAYOUT, frozen).of(all);
        Partitioning whole = Partitioning.of(LAYOUT, servers);
        List<TensorSet> parts = new ArrayList<>();
        for (TensorSet part : whole.split(TensorSet.ofFloats(LAYOUT, all, Map.of()))) {
            // As the part's server sees it: it knows the names of the complete tensors.
            TrainableValues places = TrainableValues.of(part.layout(), frozen);
            parts.add(TensorSet.ofFloats(places.layout(), places.of(part.toFloats(part.layout())), part.metadata()));
        }

        TensorSet joined = whole.without(frozen).join(parts);

        assertThat(joined.layout()).isEqualTo(frozen.trainable(LAYOUT));
        assertThat(joined.toFloats(joined.layout())).isEqualTo(trainable);
        float[] restored = new float[all.length];
        TrainableValues.of(LAYOUT, frozen).putInto(trainable, restored);
        for (int i = 0; i < all.length; i++) {
            assertThat(restored[i]).isIn(0f, all[i]);
        }
        assertThat(TrainableValues.of(LAYOUT, frozen).isFrozenAlike(all, restored))
                .isFalse();
        assertThat(TrainableValues.of(LAYOUT, frozen).of(restored)).isEqualTo(trainable);
    }
}
