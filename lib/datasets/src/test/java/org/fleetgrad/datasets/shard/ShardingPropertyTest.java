package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;

class ShardingPropertyTest {

    @Property(tries = 200)
    void shouldMergeToWhatWasSplit(
            @ForAll @IntRange(min = 1, max = 200) int count, @ForAll @IntRange(min = 1, max = 200) int shards) {
        Assume.that(shards <= count);
        ImageSamples samples = TestShards.samples(count);

        List<ImageSamples> parts = SampleRange.cut(count, shards).stream()
                .map(range -> samples.slice(range.first(), range.end()))
                .toList();

        assertThat(parts).hasSize(shards);
        TestShards.assertJoined(parts, samples);
    }

    @Property(tries = 500)
    void shouldCutEvenlyAndWithoutGap(
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int total,
            @ForAll @IntRange(min = 1, max = 300) int shards) {
        Assume.that(shards <= total);

        List<SampleRange> ranges = SampleRange.cut(total, shards);

        int next = 0;
        for (SampleRange range : ranges) {
            assertThat(range.first()).isEqualTo(next);
            assertThat(range.count()).isBetween(total / shards, total / shards + 1);
            next = range.end();
        }
        assertThat(next).isEqualTo(total);
    }

    @Property(tries = 200)
    void shouldReadAnyBytesOrRefuseThemWithTheTypedError(@ForAll @Size(max = 2000) byte[] content) throws IOException {
        for (byte[] archive : List.of(content, TarBuilder.gzip(content))) {
            assertThatThrownBy(() -> ShardArchive.read(new ByteArrayInputStream(archive), ShardLimits.ofData(10_000)))
                    .isInstanceOf(InvalidShardException.class);
        }
    }

    @Example
    void shouldRefuseImpossibleCuts() {
        assertThatThrownBy(() -> SampleRange.cut(5, 6)).hasMessage("5 samples cannot be cut into 6 shards");
        assertThatThrownBy(() -> SampleRange.cut(5, 0)).hasMessage("5 samples cannot be cut into 0 shards");
    }
}
