package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.Consumer;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.openinference.InferParameter;
import org.fleetgrad.openinference.InferTensorContents;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.openinference.ModelInferRequest.InferRequestedOutputTensor;
import org.junit.jupiter.api.Test;

class RequestSizeTest {

    private static final int MANY = 5_000;
    private static final int ROOM = 2_000;

    @Test
    void shouldRefuseManyElementsOfEachKind() {
        refused(request -> request.addAllInputs(Collections.nCopies(MANY, InferInputTensor.getDefaultInstance())));
        refused(request ->
                request.addAllOutputs(Collections.nCopies(MANY, InferRequestedOutputTensor.getDefaultInstance())));
        refused(request -> parameters(request::putParameters));
        refused(request -> parameters(request.addInputsBuilder()::putParameters));
        refused(request -> parameters(request.addOutputsBuilder()::putParameters));
        refused(request -> request.addInputsBuilder().addAllShape(Collections.nCopies(MANY, 1L)));
    }

    /** Most requests are raw, and must not be counted as if they were typed. */
    @Test
    void shouldCountRawBytesOnceAndTypedWholeNumbersAsWhatTheyBecome() {
        byte[] raw = ModelInferRequest.newBuilder()
                .addInputs(InferInputTensor.newBuilder().setName("input").addShape(1))
                .addRawInputContents(ByteString.copyFrom(new byte[1_000_000]))
                .build()
                .toByteArray();
        assertThat(RequestSize.of(raw)).isBetween((long) raw.length, raw.length + (long) ROOM);

        assertThat(typed(contents -> contents.addAllUintContents(Collections.nCopies(100_000, 1))))
                .isBetween(900_000L, 900_000L + ROOM);
        assertThat(typed(contents -> contents.addAllFp32Contents(Collections.nCopies(100_000, 1f))))
                .isBetween(1_200_000L, 1_200_000L + ROOM);
        assertThat(typed(contents -> contents.addAllBytesContents(Collections.nCopies(100_000, ByteString.EMPTY))))
                .isBetween(6_600_000L, 6_600_000L + ROOM);
    }

    private static long typed(Consumer<InferTensorContents.Builder> change) {
        InferTensorContents.Builder contents = InferTensorContents.newBuilder();
        change.accept(contents);
        return RequestSize.of(ModelInferRequest.newBuilder()
                .addInputs(InferInputTensor.newBuilder().setName("input").setContents(contents))
                .build()
                .toByteArray());
    }

    @Test
    void shouldNotCountValuesAsElements() {
        ModelInferRequest.Builder request = ModelInferRequest.newBuilder();
        for (int i = 0; i < MANY; i++) {
            request.addRawInputContents(ByteString.EMPTY);
        }
        request.addInputsBuilder()
                .addAllShape(Collections.nCopies(4, 1L))
                .getContentsBuilder()
                .addAllFp32Contents(Collections.nCopies(MANY, 1f));

        RequestSize.of(request.build().toByteArray());
    }

    /** Who reads it says what is wrong. */
    @Test
    void shouldLeaveAMalformedRequestToItsReader() {
        byte[] whole = ModelInferRequest.newBuilder()
                .addInputs(InferInputTensor.newBuilder().setName("input").addShape(1))
                .build()
                .toByteArray();
        for (int length = 0; length <= whole.length; length++) {
            RequestSize.of(Arrays.copyOf(whole, length));
        }
        RequestSize.of(new byte[] {0x2a, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f});
        RequestSize.of(new byte[] {(byte) 0xff, (byte) 0xff});
    }

    private interface Taker {
        Object put(String name, InferParameter value);
    }

    private static void parameters(Taker taker) {
        for (int i = 0; i < MANY; i++) {
            taker.put(Integer.toString(i), InferParameter.getDefaultInstance());
        }
    }

    private static void refused(Consumer<ModelInferRequest.Builder> change) {
        ModelInferRequest.Builder request = ModelInferRequest.newBuilder();
        change.accept(request);
        byte[] message = request.build().toByteArray();
        assertThatThrownBy(() -> RequestSize.of(message))
                .isInstanceOf(RequestRefused.class)
                .hasMessage("the request has more than 4096 inputs, outputs, parameters and sizes of shapes");
    }
}
