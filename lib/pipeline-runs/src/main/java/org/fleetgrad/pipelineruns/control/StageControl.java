package org.fleetgrad.pipelineruns.control;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.pipeline.channel.socket.LineConnection;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.NormSum;
import org.fleetgrad.pipelineruns.control.Stages.StageEvent;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The driver's end of the connection to one stage: each line is a JSON object with a message's type and its body. A
 * thread of its own reads the stage's messages, and itself replies to those between stages: the norm of the gradient.
 * Any thread may send.
 */
final class StageControl implements AutoCloseable {

    private static final String TYPE = "type";
    private static final String BODY = "body";

    private final int stage;
    private final LineConnection lines;
    private final JsonMapper json = JsonMapper.builder().build();
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
        ObjectNode line = json.createObjectNode();
        line.put(TYPE, message.getClass().getSimpleName());
        line.set(BODY, json.valueToTree(message));
        lines.send(json.writeValueAsString(line));
    }

    private void hear() {
        try {
            while (true) {
                Optional<String> line = lines.read();
                if (line.isEmpty()) {
                    gone("it closed the connection");
                    return;
                }
                StageMessage message = read(line.get());
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

    private StageMessage read(String text) throws IOException {
        try {
            JsonNode line = json.readTree(text);
            Class<? extends StageMessage> type = switch (line.path(TYPE).asString("")) {
                case "Listening" -> StageMessage.Listening.class;
                case "Ready" -> StageMessage.Ready.class;
                case "NormPart" -> StageMessage.NormPart.class;
                case "Progress" -> StageMessage.Progress.class;
                case "Flushed" -> StageMessage.Flushed.class;
                case "Failed" -> StageMessage.Failed.class;
                default ->
                    throw new IOException("a message of type '%s', which the driver does not know"
                            .formatted(Printable.text(line.path(TYPE).asString(""))));
            };
            return json.treeToValue(line.path(BODY), type);
        } catch (JacksonException malformed) {
            throw new IOException("a line that is not a message: " + malformed.getOriginalMessage(), malformed);
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
