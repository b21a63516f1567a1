package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.channel.socket.LineConnection;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.NormSum;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The stage's end of the control connection: each line is a JSON object with the message's type and its body. */
final class DriverConnection implements AutoCloseable {

    private static final String TYPE = "type";
    private static final String BODY = "body";

    private final LineConnection lines;
    private final JsonMapper json = JsonMapper.builder().build();

    DriverConnection(LineConnection lines) {
        this.lines = lines;
    }

    /** Sends a message to the driver. Any thread may call it. */
    void send(StageMessage message) throws IOException {
        var line = json.createObjectNode();
        line.put(TYPE, message.getClass().getSimpleName());
        line.set(BODY, json.valueToTree(message));
        lines.send(json.writeValueAsString(line));
    }

    /**
     * Waits for the driver's next message.
     *
     * @return empty if the driver is gone
     */
    Optional<StageMessage> receive() throws IOException {
        Optional<String> line = lines.read();
        if (line.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode message = json.readTree(line.get());
            Class<? extends StageMessage> type = switch (message.path(TYPE).asString("")) {
                case "Configure" -> StageMessage.Configure.class;
                case "Train" -> StageMessage.Train.class;
                case "NormSum" -> StageMessage.NormSum.class;
                case "End" -> StageMessage.End.class;
                default ->
                    throw new IOException("the driver sent a message of type '%.40s', which no stage takes"
                            .formatted(message.path(TYPE).asString("")));
            };
            return Optional.of(json.treeToValue(message.path(BODY), type));
        } catch (JacksonException malformed) {
            throw new IOException(
                    "the driver sent a line that is not a message: " + malformed.getOriginalMessage(), malformed);
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /**
     * The sum of squares of the gradient's norm, added up by the driver. The stage thread adds; the thread that reads
     * the driver's messages completes the sum.
     */
    static final class DriverNormSum implements NormSum {

        private final DriverConnection driver;
        private final BlockingQueue<Object> answers = new ArrayBlockingQueue<>(2);

        DriverNormSum(DriverConnection driver) {
            this.driver = driver;
        }

        @Override
        public double add(int stage, double squares) throws IOException, InterruptedException {
            driver.send(new StageMessage.NormPart(squares));
            Object answer = answers.take();
            if (answer instanceof Throwable cause) {
                throw new NeighbourFailedException("the sum of the gradient's norm", cause);
            }
            return (Double) answer;
        }

        /** Passes the driver's answer to the stage that waits for it. */
        void complete(double squares) {
            boolean unused = answers.offer(squares);
        }

        @Override
        public void fail(Throwable cause) {
            boolean unused = answers.offer(cause);
        }
    }
}
