package org.fleetgrad.spring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.following.Follower;
import org.fleetgrad.following.Follower.FollowState;
import org.fleetgrad.following.Follower.FollowState.Kind;
import org.fleetgrad.following.Loop;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Brings each new version of the parameter server into the model, while the application runs. Thread-safe. */
final class ModelFollowing implements SmartLifecycle {

    private final LiveModel model;
    private final Follower.Source server;
    private final Follower follower;
    private final Clock clock;
    private volatile Optional<Instant> arrived = Optional.empty();
    private volatile Optional<Instant> unreachableSince = Optional.empty();
    private volatile @Nullable Loop loop;

    ModelFollowing(Follower.Source server, LiveModel model, HeldOutScores scores, Duration interval, Clock clock) {
        this.server = server;
        this.model = model;
        this.clock = clock;
        this.follower = new Follower(server, this::take, scores, interval);
    }

    private void take(Pulled pulled) {
        model.swapTo(pulled.version(), pulled.parameters());
        arrived = Optional.of(clock.instant());
    }

    /** One at a time: an application that was stopped and started again may have an old round that still waits. */
    synchronized Duration round() {
        Duration pause = follower.round();
        if (follower.state().kind() != Kind.UNREACHABLE) {
            unreachableSince = Optional.empty();
        } else if (unreachableSince.isEmpty()) {
            unreachableSince = Optional.of(clock.instant());
        }
        return pause;
    }

    FollowState state() {
        return follower.state();
    }

    /** Returns how long ago the newest version arrived. */
    Optional<Duration> age() {
        return arrived.map(this::since);
    }

    /** Returns for how long the parameter server has not answered; empty if it did. */
    Optional<Duration> unreachableFor() {
        return unreachableSince.map(this::since);
    }

    private Duration since(Instant then) {
        return Duration.between(then, clock.instant());
    }

    @Override
    public void start() {
        Loop next = new Loop("fleetgrad-follow", this::round, server::close);
        loop = next;
        next.start();
    }

    @Override
    public void stop() {
        Loop running = loop;
        loop = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean isRunning() {
        return loop != null;
    }
}
