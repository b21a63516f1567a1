package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.inference.infer.InferOutput.Requested;
import org.fleetgrad.inference.infer.InferReader.InferRequest;
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

    /** Writes a response; the accuracy is that of the version that answered, if it is evaluated. */
    public static InferReply of(
            String model, InferRequest request, PredictionResult answer, Optional<Double> accuracy) {
        ObjectNode reply = JSON.createObjectNode();
        reply.put("model_name", model);
        reply.put("model_version", answer.version().toString());
        request.id().ifPresent(id -> reply.put("id", id));
        ObjectNode parameters = reply.putObject("parameters");
        parameters.put("generation", answer.version().generation());
        parameters.put("version", answer.version().version());
        accuracy.ifPresent(share -> parameters.put("accuracy", share));
        ArrayNode outputs = reply.putArray("outputs");
        int values = answer.count() * answer.network().outputs();
        int binary =
                (int) request.outputs().stream().filter(Requested::isBinary).count();
        ByteBuffer bytes = ByteBuffer.allocate(binary * values * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Requested requested : request.outputs()) {
            write(outputs.addObject(), requested, answer, bytes);
        }
        byte[] json = JSON.writeValueAsBytes(reply);
        if (binary == 0) {
            return new InferReply(json, OptionalInt.empty());
        }
        byte[] all = ByteBuffer.allocate(json.length + bytes.capacity())
                .put(json)
                .put(bytes.flip())
                .array();
        return new InferReply(all, OptionalInt.of(json.length));
    }

    private static void write(ObjectNode output, Requested requested, PredictionResult answer, ByteBuffer bytes) {
        float[] values = requested.output().of(answer);
        output.put("name", requested.output().text());
        output.put("datatype", "FP32");
        output.putArray("shape").add(answer.count()).add(answer.network().outputs());
        if (requested.isBinary()) {
            output.putObject("parameters").put("binary_data_size", values.length * Float.BYTES);
            for (float value : values) {
                bytes.putFloat(value);
            }
        } else {
            ArrayNode data = output.putArray("data");
            for (float value : values) {
                data.add(value);
            }
        }
    }
}
