package org.fleetgrad.inference.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.inference.infer.InferInput;
import org.fleetgrad.inference.infer.InferInput.Content;
import org.fleetgrad.inference.infer.InferInput.Values;
import org.fleetgrad.inference.infer.InferOutput;
import org.fleetgrad.inference.infer.InferReply;
import org.fleetgrad.inference.infer.InferRequest;
import org.fleetgrad.inference.infer.InferRequest.NamedOutput;
import org.fleetgrad.inference.infer.InferRequest.Requested;
import org.fleetgrad.inference.infer.OpenInference.Inferred;
import org.fleetgrad.openinference.InferParameter;
import org.fleetgrad.openinference.InferTensorContents;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.openinference.ModelInferRequest.InferRequestedOutputTensor;
import org.fleetgrad.openinference.ModelInferResponse;
import org.fleetgrad.openinference.ModelInferResponse.InferOutputTensor;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.PredictionResult;

/** Reads the messages of requests and writes those of answers; an answer has its tensors in the form in which the request has them. */
final class TensorMessages {

    private static final String SHARED_MEMORY = "shared_memory_region";
    private static final String CLASSIFICATION = "classification";
    private static final String FP64 = "FP64";

    private TensorMessages() {}

    /** Reads a request; what its inputs must be depends on the model. */
    static InferRequest read(ModelInferRequest request) {
        int inputs = request.getInputsCount();
        int raw = request.getRawInputContentsCount();
        if (inputs == 0) {
            throw malformed("the request has 0 inputs; it must have 1 or more");
        }
        if (raw > 0 && raw != inputs) {
            throw malformed("the request has %d raw_input_contents for %d inputs".formatted(raw, inputs));
        }
        List<InferInput> read = new ArrayList<>(inputs);
        for (int i = 0; i < inputs; i++) {
            InferInputTensor input = request.getInputs(i);
            read.add(new InferInput(
                    input.getName(),
                    input.getDatatype(),
                    // An input without sizes is refused by its model, which says what it takes.
                    input.getShapeList(),
                    raw > 0 ? binary(input, request.getRawInputContents(i)) : typed(input)));
        }
        return new InferRequest(
                request.getId().isEmpty() ? Optional.empty() : Optional.of(request.getId()),
                read,
                request.getOutputsList().stream()
                        .map(output -> output(output, raw > 0))
                        .toList(),
                raw > 0);
    }

    private static Content binary(InferInputTensor input, ByteString bytes) {
        if (input.hasContents()) {
            throw malformed("the input '%s' has contents beside raw_input_contents of %d bytes"
                    .formatted(Printable.text(input.getName()), bytes.size()));
        }
        return new InferInput.Binary(bytes.asReadOnlyByteBuffer());
    }

    private static Content typed(InferInputTensor input) {
        if (input.containsParameters(SHARED_MEMORY)) {
            throw malformed("the input '%s' is in shared memory, which is not served: send its bytes"
                    .formatted(Printable.text(input.getName())));
        }
        InferTensorContents contents = input.getContents();
        return switch (input.getDatatype()) {
            case "BOOL" -> new Values(contents.getBoolContentsCount(), contents::getBoolContents);
            case "INT8", "INT16", "INT32" -> new Values(contents.getIntContentsCount(), contents::getIntContents);
            case "INT64" -> new Values(contents.getInt64ContentsCount(), contents::getInt64Contents);
            case "UINT8", "UINT16", "UINT32" ->
                new Values(contents.getUintContentsCount(), at -> Integer.toUnsignedLong(contents.getUintContents(at)));
            case "FP32" -> new Values(contents.getFp32ContentsCount(), contents::getFp32Contents);
            case FP64 -> new Values(contents.getFp64ContentsCount(), contents::getFp64Contents);
            case "BYTES" ->
                new Values(
                        contents.getBytesContentsCount(),
                        at -> text(input.getName(), at, contents.getBytesContents(at)));
            // The model says which datatypes it takes.
            default -> new Values(0, at -> "");
        };
    }

    private static String text(String name, int at, ByteString value) {
        if (!value.isValidUtf8()) {
            throw malformed("value %d of the input '%s' is not UTF-8".formatted(at, Printable.text(name)));
        }
        return value.toStringUtf8();
    }

    private static NamedOutput output(InferRequestedOutputTensor output, boolean isBinary) {
        if (output.containsParameters(CLASSIFICATION)) {
            throw malformed(
                    "the extension 'classification' is not served; POST /predict answers with the names of classes");
        }
        return new NamedOutput(output.getName(), isBinary);
    }

    private static RequestRefused malformed(String detail) {
        return new RequestRefused(ProblemKind.MALFORMED, detail);
    }

    /** Writes an answer. */
    static ModelInferResponse write(InferRequest request, Inferred inferred) {
        PredictionResult result = inferred.result();
        ParameterVersion version = result.version();
        ModelInferResponse.Builder response = ModelInferResponse.newBuilder()
                .setModelName(inferred.model())
                .setModelVersion(version.toString())
                .setId(request.id().orElse(""))
                .putParameters("generation", text(version.generation()))
                .putParameters(
                        "version",
                        InferParameter.newBuilder()
                                .setInt64Param(version.version())
                                .build());
        inferred.accuracy()
                .ifPresent(share -> response.putParameters(
                        "accuracy",
                        InferParameter.newBuilder().setDoubleParam(share).build()));
        inferred.id().ifPresent(id -> response.putParameters("answer", text(id)));
        if (!result.unknown().isEmpty()) {
            response.putParameters("unknown", text(InferReply.unknown(result)));
        }
        for (Requested requested : request.requested(InferOutput.of(result.network()))) {
            write(requested, result, response);
        }
        return response.build();
    }

    private static InferParameter text(String value) {
        return InferParameter.newBuilder().setStringParam(value).build();
    }

    private static void write(Requested requested, PredictionResult result, ModelInferResponse.Builder response) {
        InferOutput output = requested.output();
        int width = result.network().outputs();
        int values = Math.multiplyExact(result.count(), width);
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(values, output.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        output.write(result, bytes);
        bytes.flip();
        InferOutputTensor.Builder tensor = response.addOutputsBuilder()
                .setName(output.text())
                .setDatatype(output.datatype())
                .addShape(result.count())
                .addShape(width);
        if (requested.isBinary()) {
            response.addRawOutputContents(UnsafeByteOperations.unsafeWrap(bytes));
            return;
        }
        InferTensorContents.Builder contents = tensor.getContentsBuilder();
        while (bytes.hasRemaining()) {
            if (output.datatype().equals(FP64)) {
                contents.addFp64Contents(bytes.getDouble());
            } else {
                contents.addFp32Contents(bytes.getFloat());
            }
        }
    }
}
