package org.fleetgrad.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnsembleMembersTest {

    private final ManualClock clock = new ManualClock();
    private Optional<StatusReply> status = Optional.empty();
    private final EnsembleMembers members =
            new EnsembleMembers(() -> status.orElseThrow(() -> new IOException("connection refused")), clock);

    static StatusReply listing(StatusReply.Worker... workers) {
        return new StatusReply(
                200,
                "g",
                1,
                true,
                1,
                1,
                "async",
                false,
                "sgd",
                "none",
                "none",
                0.1,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of(),
                1,
                List.copyOf(Arrays.asList(workers)),
                null,
                null);
    }

    static StatusReply.Worker worker(String id, @Nullable String address) {
        return new StatusReply.Worker(id, "", "cpu", 0, 0, 1000, null, null, address);
    }

    private void look(StatusReply.Worker... workers) {
        status = Optional.of(listing(workers));
        members.look();
    }

    @Test
    void shouldAskThoseThatSayWhereTheyAnswer() {
        look(worker("b", "http://b:1"), worker("a", "http://a:1"), worker("mute", null));

        assertThat(members.current())
                .containsExactly(new Member("a", URI.create("http://a:1")), new Member("b", URI.create("http://b:1")));
        assertThat(members.trouble()).isEmpty();
    }

    @Test
    void shouldKeepAWorkerThatIsBetweenTwoShards() {
        look(worker("a-1", "http://a:1"));
        clock.advance(EnsembleMembers.KEPT);
        look();
        assertThat(members.current()).hasSize(1);

        look(worker("a-2", "http://a:1"));
        assertThat(members.current()).containsExactly(new Member("a-2", URI.create("http://a:1")));

        clock.advance(EnsembleMembers.KEPT.plus(Duration.ofMillis(1)));
        look();
        assertThat(members.current()).isEmpty();
    }

    @Test
    void shouldKeepItsMembersWhileTheServerIsAway() {
        look(worker("a", "http://a:1"));
        status = Optional.empty();
        clock.advance(Duration.ofHours(1));

        members.look();

        assertThat(members.current()).hasSize(1);
        assertThat(members.trouble()).contains("the parameter server does not answer: connection refused");
    }

    @Test
    void shouldSayWhatToDoIfNobodyServes() {
        look(worker("mute", null));

        assertThat(members.trouble())
                .contains("none of the 1 registered workers answers predictions: start workers with --serve");
    }

    @Test
    void shouldCallNoAddressThatIsNone() {
        look(worker("odd", "file:///etc/passwd"), worker("a", "http://a:1"));

        assertThat(members.current()).extracting(Member::worker).containsExactly("a");
    }
}
