package org.fleetgrad.protocol.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.protocol.partition.Partitioning.Partition;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class PartitioningTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("fc.weight", 10, 10), TensorSpec.f32("bias", 20)));

    @Test
    void shouldSplitInsideATensorAndKeepWholeOnesUnderTheirNames() {
        List<Partition> parts = Partitioning.of(LAYOUT, 3).partitions();

        // 120 values, cut at 40 and 80 as the nearest multiples of 16 have it.
        assertThat(parts)
                .extracting(part -> part.layout().specs())
                .containsExactly(
                        List.of(TensorSpec.f32("bias", 20), TensorSpec.f32("fc.weight[0:28]", 28)),
                        List.of(TensorSpec.f32("fc.weight[28:60]", 32)),
                        List.of(TensorSpec.f32("fc.weight[60:100]", 40)));
    }

    @Test
    void shouldSayTheNumbersWhenThereAreFewerValuesThanPartitions() {
        assertThatThrownBy(() -> Partitioning.of(LAYOUT, 121))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a parameter set of 120 values cannot be cut into 121 partitions");
    }

    @Test
    void shouldRefuseOtherTypesThanFloat32() {
        TensorLayout integers = TensorLayout.canonical(List.of(new TensorSpec("n", DType.I64, List.of(4L))));

        assertThatThrownBy(() -> Partitioning.of(integers, 2)).hasMessageContaining("only float32");
    }

    @Test
    void shouldRefuseToJoinPartsOfDifferentSets() {
        List<TensorSet> ones = Partitioning.of(LAYOUT, 2).split(set(1f));
        List<TensorSet> twos = Partitioning.of(LAYOUT, 2).split(set(2f));

        assertThatThrownBy(() -> Partitioning.joined(List.of(ones.get(0), twos.get(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partitions of different parameter sets: 0/2 of ")
                .hasMessageContaining("1/2 of ");
    }

    @Test
    void shouldRefuseToJoinPartsOfDifferentCounts() {
        List<TensorSet> halves = Partitioning.of(LAYOUT, 2).split(set(1f));
        List<TensorSet> thirds = Partitioning.of(LAYOUT, 3).split(set(1f));

        assertThatThrownBy(() -> Partitioning.joined(List.of(halves.get(0), thirds.get(1))))
                .hasMessageContaining("partitions of different parameter sets: 0/2 of ");
    }

    @Test
    void shouldSayWhichTensorIsWrongWhenAPartIsNotWhatItSays() {
        List<TensorSet> parts = Partitioning.of(LAYOUT, 2).split(set(1f));
        TensorSet liar = TensorSet.ofFloats(
                TensorLayout.canonical(List.of(TensorSpec.f32("other", 3))),
                new float[3],
                parts.get(1).metadata());

        assertThatThrownBy(() -> Partitioning.joined(List.of(parts.get(0), liar)))
                .hasMessageContaining("partition 1 is not what it says: tensor 'fc.weight[");
    }

    @Test
    void shouldSayWhatIsMissingWhenASetIsNoPartition() {
        assertThatThrownBy(() -> Partitioning.joined(List.of(set(1f)))).hasMessageContaining("lacks 'partition'");
    }

    @Test
    void shouldSayWhatIsMalformedInALabel() {
        Map<String, String> metadata =
                new TreeMap<>(Partitioning.of(LAYOUT, 2).split(set(1f)).get(0).metadata());

        for (String wrong : List.of("2/2", "1", "1/0", "-1/2", "0/9999", "0/2/2", "")) {
            metadata.put("partition", wrong);
            assertThatThrownBy(() -> PartitionLabel.of(metadata)).isInstanceOf(IllegalArgumentException.class);
        }
        metadata.put("partition", "0/2");
        for (String wrong : List.of("", "20", "x bias", "2xx3 bias", "20 ", "9999999999999999999 bias")) {
            metadata.put("partition-layout", wrong);
            assertThatThrownBy(() -> PartitionLabel.of(metadata)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseANameThatTheMetadataCannotCarry() {
        TensorLayout odd = TensorLayout.canonical(List.of(TensorSpec.f32("a\nb", 4)));

        assertThatThrownBy(() -> Partitioning.of(odd, 2).split(TensorSet.ofFloats(odd, new float[4], Map.of())))
                .hasMessageContaining("line break");
    }

    @Test
    void shouldCarryAScalarAndATensorWithoutValues() {
        TensorLayout layout = TensorLayout.canonical(
                List.of(TensorSpec.f32("scalar"), TensorSpec.f32("v", 3), TensorSpec.f32("z", 0)));
        TensorSet set = TensorSet.ofFloats(layout, new float[] {1, 2, 3, 4}, Map.of());

        TensorSet joined = Partitioning.joined(Partitioning.of(layout, 4).split(set));

        assertThat(joined.layout()).isEqualTo(layout);
        assertThat(joined.toFloats(layout)).containsExactly(1, 2, 3, 4);
    }

    private static TensorSet set(float value) {
        float[] values = new float[120];
        Arrays.fill(values, value);
        return TensorSet.ofFloats(LAYOUT, values, Map.of());
    }
}
