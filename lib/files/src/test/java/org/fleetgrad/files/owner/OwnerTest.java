package org.fleetgrad.files.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnerTest {

    private final CountDownLatch ended = new CountDownLatch(1);
    private Optional<Process> other = Optional.empty();

    @BeforeEach
    void startAnotherProcess() throws Exception {
        other = Optional.of(new ProcessBuilder("sleep", "600").start());
    }

    @AfterEach
    void endIt() {
        other.orElseThrow().destroyForcibly();
    }

    @Test
    void shouldNoticeThatTheOwnerWasKilled() throws Exception {
        ProcessHandle parent = other.orElseThrow().toHandle();
        Owner.watch(Long.toString(parent.pid()), Optional.of(parent), ended::countDown);
        assertThat(ended.getCount()).isEqualTo(1);

        parent.destroyForcibly();

        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldEndAtOnceWithAnotherParentThanTheOwner() {
        Owner.watch(Owner.thisProcess(), Optional.of(other.orElseThrow().toHandle()), ended::countDown);

        assertThat(ended.getCount()).isZero();
    }

    @Test
    void shouldEndAtOnceWithoutAParent() {
        Owner.watch(Owner.thisProcess(), Optional.empty(), ended::countDown);

        assertThat(ended.getCount()).isZero();
    }

    @Test
    void shouldRefuseWhatNamesNoProcess() {
        assertThatThrownBy(() -> Owner.follow(Map.of(Owner.VARIABLE, "me")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FLEETGRAD_OWNER must be a process id; it is 'me'");
    }
}
