package org.fleetgrad.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BodyGrowthPropertyTest {

    @Property
    void shouldReachTheLengthWithFewCopiesAndNeverTakeMoreThanWasEarned(
            @ForAll @IntRange(max = 40_000_000) int length) {
        byte[] body = ResponseReader.begin(length);
        assertThat(body.length).isLessThanOrEqualTo(ResponseReader.UNEARNED_BYTES);
        long copied = 0;
        while (body.length < length) {
            byte[] grown = ResponseReader.more(body, length);
            copied += body.length;
            assertThat(grown.length).isGreaterThan(body.length).isLessThanOrEqualTo(8 * body.length);
            body = grown;
        }

        assertThat(body).hasSize(length);
        assertThat(copied).isLessThanOrEqualTo(length / 7 + 8);
    }

    @Example
    void shouldTakeLittleForALengthThatIsOnlyStated() {
        assertThat(ResponseReader.begin(Integer.MAX_VALUE - 8).length)
                .isLessThanOrEqualTo(ResponseReader.UNEARNED_BYTES);
    }
}
