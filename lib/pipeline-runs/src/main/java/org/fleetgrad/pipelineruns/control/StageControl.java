package org.fleetgrad.pipelineruns.control;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.pipeline.channel.socket.LineConnection;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.NormSum;

/**
 * The driver's end of the connection to one stage. A thread of its own reads the stage's messages, and itself replies to
 * those between stages: the norm of the gradient. Any thread may send.
 */
final class StageControl implements AutoCloseable {

    private final int stage;
    private final LineConnection lines;
    private final MessageCodec codec = new MessageCodec();
    private final NormSum norm;
    private final Consumer<StageEvent> listener;
    private volatile boolean isClosed;

    StageControl(int stage, LineConnection lines, NormSum norm, Consumer<StageEvent> listener) {
        this.stage = stage;
        this.lines = lines;
        this.norm = norm;
        this.listener = listener;
    }

    void start() {
        Thread ear = new Thread(this::hear, "hear-stage-" + stage);
        ear.setDaemon(true);
        ear.start();
    }

    /** Returns the address from which the stage connected. */
    InetAddress peer() {
        return lines.peer();
    }

    void tell(StageMessage message) throws IOException {
        lines.send(codec.write(message));
    }

    private void hear() {
        try {
            while (true) {
                Optional<String> line = lines.read();
                if (line.isEmpty()) {
                    gone("it closed the connection");
                    return;
                }
                StageMessage message = codec.read(line.get());
                if (message instanceof StageMessage.NormPart part) {
                    tell(new StageMessage.NormSum(norm.add(stage, part.squares())));
                } else {
                    listener.accept(new StageEvent.Said(stage, message));
                }
            }
        } catch (IOException broken) {
            gone(String.valueOf(broken.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void gone(String how) {
        norm.fail(new IOException("stage %d is gone: %s".formatted(stage, how)));
        if (!isClosed) {
            listener.accept(new StageEvent.Gone(stage, how));
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        lines.close();
    }
}
