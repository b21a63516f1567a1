package org.fleetgrad.load.open;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient.Reply;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.openinference.ModelInferRequest.InferRequestedOutputTensor;
import org.fleetgrad.openinference.ModelInferResponse;

/** Requests of the Open Inference Protocol over gRPC. */
final class GrpcQuestions extends TensorQuestions {

    private final ModelInferRequest empty;

    GrpcQuestions(LoadRequests requests, OpenModel model) {
        super(requests, model);
        empty = ModelInferRequest.newBuilder()
                .setModelName(model.name())
                .addInputs(InferInputTensor.newBuilder()
                        .setName(model.input())
                        .setDatatype(model.datatype())
                        .addAllShape(shape()))
                .addOutputs(InferRequestedOutputTensor.newBuilder().setName(model.output()))
                .build();
    }

    @Override
    public byte[] body(long number) {
        return empty.toBuilder()
                .addRawInputContents(UnsafeByteOperations.unsafeWrap(tensor(number)))
                .build()
                .toByteArray();
    }

    @Override
    Output output(byte[] body) {
        try {
            ModelInferResponse answer = ModelInferResponse.parseFrom(body);
            if (answer.getRawOutputContentsCount() == 0) {
                throw new IllegalArgumentException("the response has no raw_output_contents");
            }
            return new Output(
                    answer.getModelVersion(), answer.getRawOutputContents(0).toByteArray());
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException("the response is not that of an inference", malformed);
        }
    }

    /** The client has written the status into the body. */
    @Override
    String refusal(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
