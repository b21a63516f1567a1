package org.fleetgrad.serving.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.PredictionOutcome.Refusal;

/** Records a completion. */
final class RecordedText implements CompletionListener {

    /** A part, as text of its version and what it says. */
    final List<String> parts = new ArrayList<>();

    private final CompletableFuture<Object> outcome = new CompletableFuture<>();

    @Override
    public synchronized void text(String text, ParameterVersion version) {
        parts.add(version.version() + ":" + text);
        notifyAll();
    }

    @Override
    public void end(CompletionEnd end) {
        outcome.complete(end);
    }

    @Override
    public void refused(Refusal why) {
        outcome.complete(why);
    }

    @Override
    public void failed(Throwable failure) {
        outcome.complete(failure);
    }

    /** Waits for the last call, and returns its argument. */
    Object outcome() throws Exception {
        return outcome.get(60, TimeUnit.SECONDS);
    }

    CompletionEnd end() throws Exception {
        return (CompletionEnd) outcome();
    }

    boolean isOver() {
        return outcome.isDone();
    }

    synchronized int count() {
        return parts.size();
    }

    /** Waits until there are as many parts. */
    synchronized void await(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (parts.size() < count) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    /** Returns the text without the versions. */
    synchronized String text() {
        StringBuilder all = new StringBuilder();
        parts.forEach(part -> all.append(part.substring(part.indexOf(':') + 1)));
        return all.toString();
    }
}
