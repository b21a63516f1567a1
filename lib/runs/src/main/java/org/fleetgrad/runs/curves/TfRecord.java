package org.fleetgrad.runs.curves;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The frame of a record in TensorFlow's files (tensorflow.org/tutorials/load_data/tfrecord): the length as uint64, its masked
 * CRC32C, the data, their masked CRC32C; all little-endian.
 */
final class TfRecord {

    private static final int MASK_DELTA = 0xa282ead8;
    private static final int MASK_ROTATION = 15;

    private TfRecord() {}

    /** Returns the data within their frame, ready to be written at the buffer's position. */
    static ByteBuffer framed(byte[] data) {
        ByteBuffer frame = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + data.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(data.length);
        frame.putInt(maskedCrc(frame.array(), Long.BYTES));
        frame.put(data);
        frame.putInt(maskedCrc(data, data.length));
        return frame.flip();
    }

    /** Rotated and offset, since the CRC of data that contain their own CRC detects little. */
    private static int maskedCrc(byte[] data, int length) {
        CRC32C crc = new CRC32C();
        crc.update(data, 0, length);
        return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK_DELTA;
    }
}
