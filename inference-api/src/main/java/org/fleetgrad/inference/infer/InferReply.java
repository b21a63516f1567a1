package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalInt;
import org.fleetgrad.inference.infer.InferRequest.Requested;
import org.fleetgrad.inference.infer.OpenInference.Inferred;
import org.fleetgrad.serving.PredictionResult;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An inference response: JSON, followed by the bytes of the outputs that were requested as binary.
 *
 * @param body         the complete body
 * @param headerLength length of the JSON, if bytes follow it
 */
public record InferReply(byte[] body, OptionalInt headerLength) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Writes a response; the accuracy is that of the version that answered, if it is evaluated, and the id is that for feedback. */
    public static InferReply of(InferRequest request, Inferred inferred) {
        PredictionResult answer = inferred.result();
        ObjectNode reply = JSON.createObjectNode();
        reply.put("model_name", inferred.model());
        reply.put("model_version", answer.version().toString());
        request.id().ifPresent(named -> reply.put("id", named));
        ObjectNode parameters = reply.putObject("parameters");
        parameters.put("generation", answer.version().generation());
        parameters.put("version", answer.version().version());
        inferred.accuracy().ifPresent(share -> parameters.put("accuracy", share));
        // The protocol's own id is the client's name of the request.
        inferred.id().ifPresent(named -> parameters.put("answer", named));
        if (!answer.unknown().isEmpty()) {
            // The protocol's parameters are texts, numbers, true or false.
            parameters.put("unknown", unknown(answer));
        }
        ArrayNode outputs = reply.putArray("outputs");
        List<Requested> requested = request.requested(InferOutput.of(answer.network()));
        int values = answer.count() * answer.network().outputs();
        int binary = requested.stream()
                .filter(Requested::isBinary)
                .mapToInt(one -> Math.multiplyExact(values, one.output().bytes()))
                .reduce(0, Math::addExact);
        ByteBuffer bytes = ByteBuffer.allocate(binary).order(ByteOrder.LITTLE_ENDIAN);
        for (Requested one : requested) {
            write(outputs.addObject(), one, answer, bytes);
        }
        byte[] json = JSON.writeValueAsBytes(reply);
        if (requested.stream().noneMatch(Requested::isBinary)) {
            return new InferReply(json, OptionalInt.empty());
        }
        byte[] all = ByteBuffer.allocate(json.length + bytes.capacity())
                .put(json)
                .put(bytes.flip())
                .array();
        return new InferReply(all, OptionalInt.of(json.length));
    }

    /** Returns the categories of rows that the model does not know, as the text of a parameter. */
    public static String unknown(PredictionResult answer) {
        return JSON.writeValueAsString(answer.unknown());
    }

    private static void write(ObjectNode json, Requested requested, PredictionResult answer, ByteBuffer bytes) {
        InferOutput output = requested.output();
        json.put("name", output.text());
        json.put("datatype", output.datatype());
        json.putArray("shape").add(answer.count()).add(answer.network().outputs());
        if (requested.isBinary()) {
            int values = answer.count() * answer.network().outputs();
            json.putObject("parameters").put("binary_data_size", values * output.bytes());
            output.write(answer, bytes);
        } else {
            output.write(answer, json.putArray("data"));
        }
    }
}
