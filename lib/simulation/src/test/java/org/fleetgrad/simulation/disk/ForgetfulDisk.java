package org.fleetgrad.simulation.disk;

import java.io.IOException;
import java.util.Random;

/**
 * A disk in memory that forgets what was not forced: after a power loss some of the newest changes are gone, in the order in which
 * they were made in each file and folder, and the first lost write may be torn. It assumes that a change of a file's bytes
 * and a change of names reach the disk in any order, and that a rename is one step, as POSIX does.
 */
public final class ForgetfulDisk {

    private final Random random;
    private final DiskFolder root = new DiskFolder();
    private boolean isFull;
    private boolean skipsForce;
    private boolean isTorn;

    public ForgetfulDisk(Random random) {
        this.random = random;
    }

    /** A change of the disk. */
    interface Change {
        void make();
    }

    DiskFolder root() {
        return root;
    }

    /** Lets all writes fail, or no more. */
    public void setFull(boolean now) {
        isFull = now;
    }

    /** Confirms what it is told to force without doing it: a fault that tests must find. */
    public void skipForce() {
        skipsForce = true;
    }

    /** Tells whether the last power loss tore a write. */
    public boolean isTorn() {
        return isTorn;
    }

    /** Returns the disk as a process sees it until it dies. */
    public DiskMount mount() {
        return new DiskMount(this);
    }

    /** Loses the power. */
    public void crash() {
        isTorn = root.crash(random);
    }

    void change(Change change) throws IOException {
        if (isFull) {
            throw new IOException("No space left on device");
        }
        change.make();
    }

    void force(Change change) throws IOException {
        if (isFull) {
            throw new IOException("No space left on device");
        }
        if (!skipsForce) {
            change.make();
        }
    }
}
