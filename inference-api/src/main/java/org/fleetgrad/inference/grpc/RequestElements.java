package org.fleetgrad.inference.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.protocol.ProblemKind;

/**
 * Counts the inputs, outputs, parameters and sizes of shapes of a request before it is read: an empty one has two bytes in the message,
 * and becomes an object of more than fifty.
 */
final class RequestElements {

    /** A table has fewer columns. */
    private static final int MOST = 4_096;

    private final CodedInputStream message;
    private int count;

    private RequestElements(byte[] message) {
        this.message = CodedInputStream.newInstance(message);
    }

    /** Refuses a request with too many. A malformed one is not refused here: who reads it says why. */
    static void requireFew(byte[] message) {
        RequestElements elements = new RequestElements(message);
        try {
            elements.request();
        } catch (IOException malformed) {
            // Only what came before was counted.
        }
        if (elements.count > MOST) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the request has more than %d inputs, outputs, parameters and sizes of shapes".formatted(MOST));
        }
    }

    private void request() throws IOException {
        for (int tag = message.readTag(); tag != 0 && count <= MOST; tag = message.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            boolean isWhole = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (isWhole && field == ModelInferRequest.INPUTS_FIELD_NUMBER) {
                parts(InferInputTensor.SHAPE_FIELD_NUMBER, InferInputTensor.CONTENTS_FIELD_NUMBER);
            } else if (isWhole && field == ModelInferRequest.OUTPUTS_FIELD_NUMBER) {
                parts(0, 0);
            } else {
                count += field == ModelInferRequest.RAW_INPUT_CONTENTS_FIELD_NUMBER ? 0 : 1;
                message.skipField(tag);
            }
        }
    }

    /** Counts what an input or an output has; a packed field counts as its bytes. */
    private void parts(int packed, int uncounted) throws IOException {
        count++;
        int outer = message.pushLimit(message.readRawVarint32());
        for (int tag = message.readTag(); tag != 0 && count <= MOST; tag = message.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (field == packed && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                int bytes = message.readRawVarint32();
                count += Math.min(bytes, MOST);
                message.skipRawBytes(bytes);
            } else {
                count += field == uncounted ? 0 : 1;
                message.skipField(tag);
            }
        }
        message.popLimit(outer);
    }
}
