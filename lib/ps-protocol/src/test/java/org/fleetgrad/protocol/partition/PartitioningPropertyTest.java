package org.fleetgrad.protocol.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.partition.Partitioning.Partition;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

class PartitioningPropertyTest {

    @Property
    void shouldBeTheSameSetAgainWhenSplitAndJoinedInAnyOrder(
            @ForAll("sets") TensorSet set, @ForAll @IntRange(min = 1, max = 9) int count, @ForAll long seed)
            throws SafetensorsException {
        int parts = Math.min(count, (int) set.layout().elementCount());
        Partitioning partitioning = Partitioning.of(set.layout(), parts);
        List<TensorSet> travelled = new ArrayList<>();
        for (TensorSet part : partitioning.split(set)) {
            travelled.add(Safetensors.decode(Safetensors.encode(part)));
        }
        Collections.shuffle(travelled, new Random(seed));

        TensorSet joined = Partitioning.joined(travelled);

        assertThat(joined.layout()).isEqualTo(partitioning.whole());
        assertThat(joined.toFloats(partitioning.whole())).isEqualTo(set.toFloats(partitioning.whole()));
        assertThat(joined.metadata()).isEqualTo(set.metadata());
    }

    @Property
    void shouldCoverEveryValueOnceInRangesOfNearlyOneLength(
            @ForAll("sets") TensorSet set, @ForAll @IntRange(min = 1, max = 9) int count) {
        int total = (int) set.layout().elementCount();
        int parts = Math.min(count, total);
        int at = 0;
        for (Partition part : Partitioning.of(set.layout(), parts).partitions()) {
            assertThat(part.begin()).isEqualTo(at);
            assertThat(part.layout().elementCount()).isEqualTo(part.length());
            assertThat(part.length()).isBetween(Math.max(1, total / parts - 16), total / parts + 17);
            at += part.length();
        }
        assertThat(at).isEqualTo(total);
    }

    @Property
    void shouldRefuseToJoinWhenAPartIsMissingOrThereTwice(
            @ForAll("sets") TensorSet set, @ForAll @IntRange(min = 2, max = 9) int count, @ForAll long seed) {
        int parts = Math.min(count, (int) set.layout().elementCount());
        if (parts < 2) {
            return;
        }
        List<TensorSet> all =
                new ArrayList<>(Partitioning.of(set.layout(), parts).split(set));
        int missing = new Random(seed).nextInt(parts);
        TensorSet doubled = all.get((missing + 1) % parts);
        all.remove(missing);

        assertThatThrownBy(() -> Partitioning.joined(all))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition %d of %d is there 0 times".formatted(missing, parts));
        all.add(doubled);
        assertThatThrownBy(() -> Partitioning.joined(all))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("times; given are");
    }

    @Provide
    Arbitrary<TensorSet> sets() {
        Arbitrary<String> names = Arbitraries.strings()
                .withChars("ab.[]:01 \t\r\"\u00e4")
                .ofMinLength(1)
                .ofMaxLength(5);
        Arbitrary<List<Long>> shapes = Arbitraries.longs().between(0, 12).list().ofMaxSize(3);
        Arbitrary<TensorLayout> layouts = Combinators.combine(names, shapes)
                .as((name, shape) -> new TensorSpec(name, DType.F32, shape))
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .uniqueElements(TensorSpec::name)
                // A piece's name ends in its range: a whole tensor of just that name beside it is not to be told from
                // it.
                .filter(specs -> specs.stream().noneMatch(spec -> spec.name().matches("(?s).*\\[\\d+:\\d+\\]")))
                .map(TensorLayout::inOrder)
                .filter(layout -> layout.elementCount() > 0);
        return Combinators.combine(layouts, Arbitraries.longs()).as((layout, seed) -> {
            float[] values = new float[(int) layout.elementCount()];
            Random random = new Random(seed);
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextFloat();
            }
            return TensorSet.ofFloats(layout, values, Map.of("network", "n"));
        });
    }
}
