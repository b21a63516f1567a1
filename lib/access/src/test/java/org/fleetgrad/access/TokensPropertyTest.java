package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.access.Tokens.Verification;

class TokensPropertyTest {

    private static final Tokens TOKENS = new Tokens(TokenKey.random(), Clock.systemUTC(), Duration.ofMinutes(1));

    @Property
    void shouldNeverThrowWhateverIsSent(@ForAll String text) {
        assertThat(TOKENS.verify(text)).isEqualTo(new Verification.Invalid());
    }

    /** The last character of a signature has two bits that no decoder reads; every other change is detected. */
    @Property(tries = 300)
    void shouldRefuseATokenWithOneCharacterChanged(@ForAll @IntRange(min = 0, max = 1000) int at, @ForAll char other) {
        String token = TOKENS.issue(Caller.worker("w")).text();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < token.length() - 1; i++) {
            places.add(i);
        }
        int place = places.get(at % places.size());
        String changed = token.substring(0, place) + other + token.substring(place + 1);

        if (!changed.equals(token)) {
            assertThat(TOKENS.verify(changed)).isEqualTo(new Verification.Invalid());
        }
    }
}
