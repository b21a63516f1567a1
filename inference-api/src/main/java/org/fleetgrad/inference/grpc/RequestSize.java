package org.fleetgrad.inference.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.openinference.InferTensorContents;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.protocol.ProblemKind;

/**
 * The memory of a request with what becomes of it, before it is read. Tensors of raw bytes are parts of the message. A typed whole number
 * of one byte is kept in eight. An empty input, output or parameter has two bytes, and becomes an object of more than fifty, so their
 * number is bounded, too.
 */
final class RequestSize {

    /** A table has fewer columns. */
    private static final int MOST = 4_096;

    private static final int ELEMENT_BYTES = 128;
    private static final int PART_BYTES = 64;
    private static final int WHOLE_NUMBER_GROWTH = 8;
    /** A list doubles while it is read. */
    private static final int NUMBER_GROWTH = 2;

    private final CodedInputStream message;
    private long bytes;
    private int elements;

    private RequestSize(byte[] message) {
        this.message = CodedInputStream.newInstance(message);
        this.bytes = message.length;
    }

    /**
     * Returns the bytes. Of a malformed request only what came before is counted; who reads it says why.
     *
     * @throws RequestRefused if the request has too many elements
     */
    static long of(byte[] message) {
        RequestSize size = new RequestSize(message);
        try {
            size.request();
        } catch (IOException malformed) {
            // Reading ends at the same place.
        }
        if (size.elements > MOST) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the request has more than %d inputs, outputs, parameters and sizes of shapes".formatted(MOST));
        }
        return size.bytes + (long) size.elements * ELEMENT_BYTES;
    }

    private void request() throws IOException {
        for (int tag = message.readTag(); tag != 0 && elements <= MOST; tag = message.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (isMessage(tag) && field == ModelInferRequest.INPUTS_FIELD_NUMBER) {
                parts(InferInputTensor.SHAPE_FIELD_NUMBER, InferInputTensor.CONTENTS_FIELD_NUMBER);
            } else if (isMessage(tag) && field == ModelInferRequest.OUTPUTS_FIELD_NUMBER) {
                parts(0, 0);
            } else {
                if (field == ModelInferRequest.RAW_INPUT_CONTENTS_FIELD_NUMBER) {
                    bytes += PART_BYTES;
                } else {
                    elements++;
                }
                message.skipField(tag);
            }
        }
    }

    private static boolean isMessage(int tag) {
        return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }

    /** Counts what an input or an output has; a packed field counts as its bytes. */
    private void parts(int packed, int contents) throws IOException {
        elements++;
        int outer = message.pushLimit(message.readRawVarint32());
        for (int tag = message.readTag(); tag != 0 && elements <= MOST; tag = message.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (isMessage(tag) && field == packed) {
                int length = message.readRawVarint32();
                message.skipRawBytes(length);
                elements += Math.min(length, MOST);
            } else if (isMessage(tag) && field == contents) {
                contents();
            } else {
                elements++;
                message.skipField(tag);
            }
        }
        message.popLimit(outer);
    }

    private void contents() throws IOException {
        bytes += ELEMENT_BYTES;
        int outer = message.pushLimit(message.readRawVarint32());
        for (int tag = message.readTag(); tag != 0; tag = message.readTag()) {
            long before = message.getTotalBytesRead();
            message.skipField(tag);
            long length = message.getTotalBytesRead() - before;
            bytes += switch (WireFormat.getTagFieldNumber(tag)) {
                case InferTensorContents.BYTES_CONTENTS_FIELD_NUMBER -> PART_BYTES;
                case InferTensorContents.INT_CONTENTS_FIELD_NUMBER,
                        InferTensorContents.INT64_CONTENTS_FIELD_NUMBER,
                        InferTensorContents.UINT_CONTENTS_FIELD_NUMBER,
                        InferTensorContents.UINT64_CONTENTS_FIELD_NUMBER -> length * WHOLE_NUMBER_GROWTH;
                default -> length * NUMBER_GROWTH;
            };
        }
        message.popLimit(outer);
    }
}
