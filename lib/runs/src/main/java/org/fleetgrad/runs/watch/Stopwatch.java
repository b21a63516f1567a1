package org.fleetgrad.runs.watch;

/** Measures the time in which the workers train. Confined to one thread. */
final class Stopwatch {

    private long counted;
    private long begin;
    private boolean isRunning;

    void resume() {
        if (!isRunning) {
            begin = System.nanoTime();
            isRunning = true;
        }
    }

    void pause() {
        if (isRunning) {
            counted += System.nanoTime() - begin;
            isRunning = false;
        }
    }

    double seconds() {
        return (counted + (isRunning ? System.nanoTime() - begin : 0)) / 1e9;
    }
}
