package org.fleetgrad.pipelineruns.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.fleetgrad.pipeline.channel.socket.Callers;
import org.fleetgrad.pipeline.channel.socket.LineConnection;
import org.fleetgrad.pipeline.channel.socket.RunToken;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;

/**
 * The connections to all stages of a run. A thread of its own accepts the stages; clients without the run's token are
 * rejected. The stages' messages are in one queue, in the order of arrival.
 */
public final class Stages implements AutoCloseable {

    /** Interval between two looks whether the run is over. */
    private static final Duration LOOK = Duration.ofMillis(200);

    /** All stages connect at once, and untrusted clients must not fill the backlog. */
    private static final int BACKLOG = 1024;

    private final int stages;
    private final RunToken token = RunToken.draw();
    private final ServerSocket server = new ServerSocket();
    private final Map<Integer, StageControl> controls = new TreeMap<>();
    private final BlockingQueue<StageEvent> events = new LinkedBlockingQueue<>();
    private final SharedNormSum norm;
    private final Consumer<String> teller;
    private volatile boolean isClosed;

    private Stages(int stages, Consumer<String> teller) throws IOException {
        this.stages = stages;
        this.norm = new SharedNormSum(stages);
        this.teller = teller;
    }

    /**
     * Listens for the stages.
     *
     * @param address of this machine that they can reach
     * @param teller  receives a line about each rejected client
     */
    public static Stages open(String address, int stages, Consumer<String> teller) throws IOException {
        Stages opened = new Stages(stages, teller);
        opened.server.bind(new InetSocketAddress(InetAddress.getByName(address), 0), BACKLOG);
        Thread door = new Thread(opened::takeIn, "take-in-stages");
        door.setDaemon(true);
        door.start();
        return opened;
    }

    /** Returns host and port for the stages. */
    public String address() {
        return "%s:%d".formatted(server.getInetAddress().getHostAddress(), server.getLocalPort());
    }

    /** Returns the run's secret. */
    public String token() {
        return token.text();
    }

    private void takeIn() {
        try (Callers callers = new Callers(server, token, this::tellRefusal)) {
            while (!isClosed) {
                takeInNext(callers);
            }
        }
    }

    private void takeInNext(Callers callers) {
        try {
            Optional<Callers.Caller> caller = callers.next(LOOK);
            if (caller.isPresent()) {
                take(LineConnection.accept(caller.get())).start();
            }
        } catch (IOException refused) {
            if (!isClosed) {
                tellRefusal(String.valueOf(refused.getMessage()));
                // If this process has no descriptor left, the next call fails, too.
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private void tellRefusal(String why) {
        teller.accept("a connection was refused: %s".formatted(why));
    }

    private StageControl take(LineConnection lines) throws IOException {
        String hello = lines.hello();
        int stage = hello.matches("stage \\d{1,3}") ? Integer.parseInt(hello.substring("stage ".length())) : -1;
        synchronized (controls) {
            if (stage < 0 || stage >= stages || controls.containsKey(stage)) {
                lines.close();
                throw new IOException("it says '%s'; the run has stages 0 to %d, and each connects once"
                        .formatted(hello, stages - 1));
            }
            StageControl control = new StageControl(stage, lines, norm, events::add);
            controls.put(stage, control);
            return control;
        }
    }

    /** Returns the next message of a stage, or that it is gone; empty if nothing arrived within the timeout. */
    public Optional<StageEvent> next(Duration patience) throws InterruptedException {
        return Optional.ofNullable(events.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Sends a message to a stage, which must have connected. */
    public void tell(int stage, StageMessage message) throws IOException {
        control(stage).tell(message);
    }

    /** Returns the address at which the other stages reach a stage. */
    public InetAddress addressOf(int stage) {
        return control(stage).peer();
    }

    private StageControl control(int stage) {
        synchronized (controls) {
            StageControl control = controls.get(stage);
            if (control == null) {
                throw new IllegalStateException("stage %d has not connected yet".formatted(stage));
            }
            return control;
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        server.close();
        synchronized (controls) {
            for (StageControl control : controls.values()) {
                control.close();
            }
        }
    }

    /** An event of a stage, as the driver sees it. */
    public sealed interface StageEvent {

        /** Returns the stage. */
        int stage();

        /** It sent a message. */
        record Said(int stage, StageMessage message) implements StageEvent {}

        /** Its connection ended, though the run is not over. */
        record Gone(int stage, String how) implements StageEvent {}
    }
}
