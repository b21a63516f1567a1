package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fleetgrad.protocol.safetensors.RawFile.assertRejected;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.DATA_LENGTH_MISMATCH;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.DUPLICATE_NAME;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.METADATA_NOT_STRINGS;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.NOT_CONTIGUOUS;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.SIZE_MISMATCH;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.SIZE_OVERFLOW;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.TENSOR_INCOMPLETE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.UNKNOWN_DTYPE;

import org.junit.jupiter.api.Test;

/** Headers in good JSON whose tensors or metadata break a rule. */
class HostileTensorsTest {

    private static final String TENSOR = "{'dtype':'U8','shape':[2],'data_offsets':[0,2]}";

    @Test
    void shouldRejectTensorThatStandsTwice() {
        assertRejected(
                RawFile.json("{'t':" + TENSOR + ",'t':" + TENSOR + "}", 2),
                DUPLICATE_NAME,
                "'t' stands twice in the header");
        assertRejected(RawFile.json("{'t':" + TENSOR + ",'\\u0074':" + TENSOR + "}", 2), DUPLICATE_NAME);
    }

    @Test
    void shouldRejectMetadataThatStandsTwice() {
        assertRejected(
                RawFile.json("{'__metadata__':{},'__metadata__':{}}", 0),
                DUPLICATE_NAME,
                "'__metadata__' stands twice in the header");
        assertRejected(
                RawFile.json("{'__metadata__':{'a':'1','a':'1'}}", 0),
                DUPLICATE_NAME,
                "'a' stands twice in __metadata__");
    }

    @Test
    void shouldRejectKeyOfTensorThatStandsTwice() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[2],'shape':[2],'data_offsets':[0,2]}}", 2),
                DUPLICATE_NAME,
                "tensor 't' states its shape twice");
    }

    @Test
    void shouldRejectMetadataOtherThanStrings() {
        assertRejected(
                RawFile.json("{'__metadata__':[]}", 0),
                METADATA_NOT_STRINGS,
                "__metadata__ must be an object of strings");
        assertRejected(
                RawFile.json("{'__metadata__':{'epoch':3}}", 0),
                METADATA_NOT_STRINGS,
                "the value of 'epoch' in __metadata__ is not a string");
        assertRejected(RawFile.json("{'__metadata__':null}", 0), METADATA_NOT_STRINGS);
    }

    @Test
    void shouldRejectTensorThatLacksKeys() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[2]}}", 2),
                TENSOR_INCOMPLETE,
                "tensor 't' needs dtype, shape and two data_offsets; it has [dtype, shape]");
        assertRejected(RawFile.json("{'t':{}}", 2), TENSOR_INCOMPLETE);
    }

    @Test
    void shouldRejectOffsetsOtherThanTwo() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[2],'data_offsets':[0,1,2]}}", 2),
                TENSOR_INCOMPLETE,
                "tensor 't' needs dtype, shape and two data_offsets; it has [data_offsets, dtype, shape] and offsets"
                        + " [0, 1, 2]");
        assertRejected(RawFile.json("{'t':{'dtype':'U8','shape':[2],'data_offsets':[]}}", 2), TENSOR_INCOMPLETE);
    }

    @Test
    void shouldRejectUnknownKeyAndEmptyName() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[2],'data_offsets':[0,2],'strides':[1]}}", 2),
                TENSOR_INCOMPLETE,
                "tensor 't' has the unknown key 'strides'");
        assertRejected(RawFile.json("{'t':{'t':" + TENSOR + "}}", 2), TENSOR_INCOMPLETE);
        assertRejected(RawFile.json("{'':" + TENSOR + "}", 2), TENSOR_INCOMPLETE, "a tensor has an empty name");
    }

    @Test
    void shouldRejectUnknownType() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'F31','shape':[2],'data_offsets':[0,2]}}", 2),
                UNKNOWN_DTYPE,
                "tensor 't' is of the unknown type 'F31'");
    }

    @Test
    void shouldRejectShapeThatOverflows() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[4611686018427387904,4],'data_offsets':[0,0]}}", 0),
                SIZE_OVERFLOW,
                "tensor 't' of type U8 and shape [4611686018427387904, 4] has more bytes than a 63-bit number counts");
        assertRejected(
                RawFile.json("{'t':{'dtype':'F64','shape':[0,4611686018427387904,4],'data_offsets':[0,0]}}", 0),
                SIZE_OVERFLOW);
    }

    @Test
    void shouldRejectNumberThatOverflows() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[9223372036854775808],'data_offsets':[0,2]}}", 2),
                SIZE_OVERFLOW,
                "the number at character 28 of the header exceeds 2^63-1");
        assertRejected(
                RawFile.json("{'t':{'dtype':'U8','shape':[2],'data_offsets':[0,18446744073709551618]}}", 2),
                SIZE_OVERFLOW);
    }

    @Test
    void shouldRejectSpanOtherThanTypeAndShapeTake() {
        assertRejected(
                RawFile.json("{'t':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}}", 4),
                SIZE_MISMATCH,
                "tensor 't' spans bytes 0 to 4, its type F32 and shape [2] take 8");
        assertRejected(
                RawFile.json("{'a':" + TENSOR + ",'t':{'dtype':'U8','shape':[1],'data_offsets':[2,1]}}", 2),
                SIZE_MISMATCH);
    }

    @Test
    void shouldRejectOverlap() {
        assertRejected(
                RawFile.json("{'a':" + TENSOR + ",'b':{'dtype':'U8','shape':[2],'data_offsets':[1,3]}}", 3),
                NOT_CONTIGUOUS,
                "tensor 'b' begins at byte 1 where 2 was due");
        assertRejected(RawFile.json("{'a':" + TENSOR + ",'b':" + TENSOR + "}", 2), NOT_CONTIGUOUS);
        assertRejected(
                RawFile.json("{'a':" + TENSOR + ",'b':{'dtype':'U8','shape':[0],'data_offsets':[1,1]}}", 2),
                NOT_CONTIGUOUS);
    }

    @Test
    void shouldRejectHole() {
        assertRejected(
                RawFile.json("{'b':{'dtype':'U8','shape':[1],'data_offsets':[3,4]},'a':" + TENSOR + "}", 4),
                NOT_CONTIGUOUS,
                "tensor 'b' begins at byte 3 where 2 was due");
        assertRejected(RawFile.json("{'t':{'dtype':'U8','shape':[2],'data_offsets':[1,3]}}", 3), NOT_CONTIGUOUS);
    }

    @Test
    void shouldRejectDataThatEndsEarlyOrGoesOn() {
        assertRejected(
                RawFile.json("{'t':" + TENSOR + "}", 1),
                DATA_LENGTH_MISMATCH,
                "the tensors take 2 bytes, the body has 1");
        assertRejected(
                RawFile.json("{'t':" + TENSOR + "}", 3),
                DATA_LENGTH_MISMATCH,
                "the tensors take 2 bytes, the body has 3");
        assertRejected(RawFile.json("{}", 1), DATA_LENGTH_MISMATCH);
    }

    @Test
    void shouldNotCarryStrangersNamesIntoLogs() {
        assertThatThrownBy(() -> Safetensors.decode(RawFile.json("{'a\\n" + "b".repeat(100_000) + "':{}}", 0)))
                .message()
                .startsWith("tensor 'a\uFFFDbbb")
                .hasSizeLessThan(500);
    }
}
