package org.fleetgrad.protocol.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.fleetgrad.protocol.gradient.GradientMetadata;

class CursorPropertyTest {

    @Property
    void shouldReadWhatItWrites(
            @ForAll @LongRange(max = WorkPlan.MAX_EPOCHS) long epoch,
            @ForAll @IntRange(max = WorkPlan.MAX_SHARDS - 1) int shard,
            @ForAll @LongRange(max = WorkPlan.MAX_SAMPLES) long sample) {
        Cursor cursor = new Cursor(epoch, shard, sample);

        assertThat(Cursor.parse(cursor.toString())).isEqualTo(cursor);
    }

    @Property
    void shouldReadAnyTextOrQuoteIt(@ForAll String text) {
        Throwable refused = catchThrowable(() -> Cursor.parse(text));

        if (refused != null) {
            assertThat(refused)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("a cursor is epoch/shard/sample, like 0/3/640; this is '");
        }
    }

    @Example
    void shouldRefuseAGradientOnMoreSamplesThanItsCursorHasBehindIt() {
        GradientMetadata metadata = new GradientMetadata("w", 1, "g", 0, 32, 0.5);

        assertThat(metadata.reaching(Optional.of(new Cursor(0, 0, 32))).toMap()).containsEntry("cursor", "0/0/32");
        assertThat(catchThrowable(() -> metadata.reaching(Optional.of(new Cursor(0, 0, 31)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the gradient's metadata 'cursor' must be at sample 32 or after it");
    }

    @Example
    void shouldRefusePlacesThatNoPlanHas() {
        for (String place : List.of("1000000001/0/0", "0/10000/0", "0/0/1000000001", "4611686018427387904/0/0")) {
            assertThat(catchThrowable(() -> Cursor.parse(place)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(place);
        }
    }

    @Example
    void shouldTravelWithAGradient() {
        GradientMetadata metadata =
                new GradientMetadata("w", 1, "g", 0, 32, 0.5).reaching(Optional.of(new Cursor(2, 7, 64)));

        assertThat(GradientMetadata.parse(metadata.toMap())).isEqualTo(metadata);
    }
}
