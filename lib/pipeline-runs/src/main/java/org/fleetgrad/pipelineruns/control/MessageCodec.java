package org.fleetgrad.pipelineruns.control;

import java.io.IOException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.pipeline.run.StageMessage;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Messages of the control connection as lines of JSON, on the driver's side. Thread-safe. */
final class MessageCodec {

    private static final String TYPE = "type";
    private static final String BODY = "body";

    private final JsonMapper json = JsonMapper.builder().build();

    String write(StageMessage message) {
        ObjectNode line = json.createObjectNode();
        line.put(TYPE, message.getClass().getSimpleName());
        line.set(BODY, json.valueToTree(message));
        return json.writeValueAsString(line);
    }

    /**
     * @throws IOException if the line is no message of a stage
     */
    StageMessage read(String text) throws IOException {
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
}
