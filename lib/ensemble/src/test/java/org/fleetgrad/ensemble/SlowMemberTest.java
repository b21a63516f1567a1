package org.fleetgrad.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.ensemble.Poll.LeftOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that hangs, and one that responds. */
@Timeout(60)
class SlowMemberTest {

    private final AtomicLong time = new AtomicLong();
    private final MemberRequests questions = new MemberRequests(Duration.ofMillis(300), Optional.empty(), time::get);

    /** The first response waits for the timeout; requests within the next second skip the worker. */
    @Test
    void shouldLeaveOutAWorkerThatHangsAndNotWaitForItAgain() throws Exception {
        try (FakeWorker quick = new FakeWorker("a", 2, 5);
                FakeWorker hanging = new FakeWorker("hanging", 1, 5).hang()) {
            List<Member> members = List.of(member(quick), member(hanging));

            assertThat(whyHangingIsLeftOut(members)).isEqualTo("did not respond within 300 ms");
            for (int i = 0; i < 3; i++) {
                assertThat(whyHangingIsLeftOut(members)).isEqualTo("did not respond within 300 ms a moment ago");
            }
            assertThat(hanging.requests()).isLessThanOrEqualTo(1);

            time.addAndGet(MemberRequests.PAUSE.toNanos());

            assertThat(whyHangingIsLeftOut(members)).isEqualTo("did not respond within 300 ms");
        }
    }

    /** Calls all members. On a busy machine the fast one may be late, too. */
    private String whyHangingIsLeftOut(List<Member> members) {
        Poll poll = questions.ask(members, "{\"image\":[7]}".getBytes(StandardCharsets.UTF_8), "application/json");
        assertThat(poll.refused()).isEmpty();
        assertThat(poll.ballots().size() + poll.leftOut().size()).isEqualTo(members.size());
        return poll.leftOut().stream()
                .filter(left -> left.member().worker().equals("hanging"))
                .map(LeftOut::why)
                .findFirst()
                .orElseThrow();
    }

    private static Member member(FakeWorker worker) {
        return new Member(
                worker.listed().id(),
                URI.create(Objects.requireNonNull(worker.listed().address())));
    }
}
