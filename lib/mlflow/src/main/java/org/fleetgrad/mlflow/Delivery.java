package org.fleetgrad.mlflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.mlflow.Outbox.Parcel;

/** Sends what an outbox has, in order, and each thing until the server has answered. Runs in a thread of its own. */
final class Delivery implements Runnable {

    /** MLflow's limits of a batch. */
    private static final int MOST_METRICS = 1000;

    private static final int MOST_PARAMETERS = 100;

    /** A server that fails so often, one time after the other, gets nothing more of a run that has ended. */
    private static final int FAILURES_AT_THE_END = 3;

    private final MlflowServer server;
    private final RunRequests requests;
    private final RunBeginning beginning;
    private final Outbox outbox;
    private final DeliveryPace pace;
    private final Backoff backoff;
    private final Consumer<String> teller;
    private boolean isAway;
    private int failuresAtTheEnd;
    private boolean hasToldOfRefusal;

    /** Something to be sent. */
    private interface Request<T> {
        T send(Duration timeout) throws IOException, InterruptedException;
    }

    Delivery(MlflowServer server, RunDescription about, Outbox outbox, DeliveryPace pace, Consumer<String> teller) {
        MlflowWire wire = new MlflowWire(server);
        this.server = server;
        this.requests = new RunRequests(wire, server);
        this.beginning = new RunBeginning(wire, about);
        this.outbox = outbox;
        this.pace = pace;
        this.backoff = new Backoff(pace.firstPause(), pace.longest(), 2);
        this.teller = teller;
    }

    @Override
    public void run() {
        try {
            Optional<RunBeginning.Outcome> outcome = untilAnswered(beginning::begin, pace.timeout());
            if (outcome.isEmpty()) {
                tell("does not have the run: it did not answer");
            } else if (outcome.get() instanceof RunBeginning.Outcome.Refused refused) {
                tell("refused the run, which continues without it: " + refused.message());
            } else {
                deliver(((RunBeginning.Outcome.Begun) outcome.get()).run());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            outbox.close();
        }
    }

    private void deliver(BegunRun run) throws InterruptedException {
        String page = Printable.text("%s/#/experiments/%s/runs/%s".formatted(server, run.experiment(), run.id()));
        teller.accept("MLflow shows the run at " + page);
        boolean isWhole = true;
        Optional<Outbox.End> end;
        do {
            outbox.awaitNews();
            outbox.pause(pace.batch());
            // Asked before the outbox is emptied: what is added before the end is sent before the end.
            end = outbox.end();
            isWhole &= sendAll(run);
        } while (end.isEmpty());
        Outbox.End how = end.get();
        Optional<MlflowReply> updated =
                untilAnswered(timeout -> requests.end(run, how.status(), timeout), pace.timeout());
        isWhole &= updated.isPresent() && updated.get() instanceof MlflowReply.Done;
        outbox.close();
        if (!isWhole || outbox.lost() > 0) {
            tell("lacks a part of the run%s: %s"
                    .formatted(
                            outbox.lost() == 0 ? "" : ", such as %,d points of its curves".formatted(outbox.lost()),
                            page));
        }
    }

    /** @return whether the server has all of it */
    private boolean sendAll(BegunRun run) throws InterruptedException {
        boolean isWhole = true;
        for (Parcel parcel = next(); !parcel.isEmpty(); parcel = next()) {
            Parcel sent = parcel;
            Optional<MlflowReply> reply = untilAnswered(timeout -> requests.log(run, sent, timeout), pace.timeout());
            boolean isTaken = isTaken("points and parameters", reply);
            if (!isTaken) {
                outbox.lose(parcel.metrics().size());
            }
            isWhole &= isTaken;
        }
        for (Path file : outbox.takeArtifacts()) {
            isWhole &= upload(run, file);
        }
        return isWhole;
    }

    private Parcel next() {
        return outbox.take(MOST_METRICS, MOST_PARAMETERS);
    }

    private boolean upload(BegunRun run, Path file) throws InterruptedException {
        Optional<String> route = requests.artifact(run, file);
        if (route.isEmpty()) {
            if (!hasToldOfRefusal) {
                hasToldOfRefusal = true;
                tell(
                        "does not take files itself (they go to '%s'; 'mlflow server' with --serve-artifacts takes them): %s stays in %s"
                                .formatted(Printable.text(run.artifactsUri()), file.getFileName(), file.getParent()));
            }
            return false;
        }
        try {
            Duration timeout = pace.timeout().plusSeconds(Files.size(file) >> 20);
            return isTaken(
                    String.valueOf(file.getFileName()),
                    untilAnswered(left -> requests.upload(route.get(), file, left), timeout));
        } catch (IOException unreadable) {
            tell("does not have %s, which cannot be read: %s".formatted(file, unreadable));
            return false;
        }
    }

    private boolean isTaken(String what, Optional<MlflowReply> reply) {
        if (reply.isPresent() && reply.get() instanceof MlflowReply.Refused refused && !hasToldOfRefusal) {
            hasToldOfRefusal = true;
            tell("refused %s: %s".formatted(what, refused.message()));
        }
        return reply.isPresent() && reply.get() instanceof MlflowReply.Done;
    }

    /** Sends a request until it is answered; returns empty if it was not before the run's last deadline. */
    private <T> Optional<T> untilAnswered(Request<T> request, Duration usual) throws InterruptedException {
        while (true) {
            Optional<Duration> left = outbox.end().map(Outbox.End::left);
            if (left.isPresent() && (left.get().isZero() || failuresAtTheEnd == FAILURES_AT_THE_END)) {
                return Optional.empty();
            }
            Duration timeout = left.filter(rest -> rest.compareTo(usual) < 0).orElse(usual);
            try {
                T answer = request.send(timeout);
                if (isAway) {
                    isAway = false;
                    tell("answers again");
                }
                backoff.reset();
                failuresAtTheEnd = 0;
                return Optional.of(answer);
            } catch (IOException failed) {
                if (!isAway) {
                    isAway = true;
                    tell("does not answer (%s); the run continues".formatted(failed.getMessage()));
                }
                if (left.isPresent()) {
                    failuresAtTheEnd++;
                }
                pause();
            }
        }
    }

    private void pause() throws InterruptedException {
        Duration pause = backoff.next();
        Optional<Duration> left = outbox.end().map(Outbox.End::left);
        if (left.isEmpty()) {
            outbox.pause(pause);
        } else if (failuresAtTheEnd < FAILURES_AT_THE_END) {
            Thread.sleep(Math.min(left.get().toMillis(), pace.firstPause().toMillis()));
        }
    }

    private void tell(String what) {
        teller.accept("MLflow at %s %s".formatted(server, what));
    }
}
