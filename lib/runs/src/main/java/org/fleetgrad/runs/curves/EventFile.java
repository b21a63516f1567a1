package org.fleetgrad.runs.curves;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * An event file of TensorBoard: records of {@code tensorflow.Event} (tensorflow/core/util/event.proto), the first of which
 * states the format's version. A value's step is the version that it belongs to. Confined to one thread.
 */
final class EventFile implements CurveFile {

    /** The format's version, as TensorBoard compares it. */
    private static final String FORMAT = "brain.Event:2";

    private static final int EVENT_WALL_TIME = 1;
    private static final int EVENT_STEP = 2;
    private static final int EVENT_FILE_VERSION = 3;
    private static final int EVENT_SUMMARY = 5;
    private static final int EVENT_SESSION_LOG = 7;
    private static final int SESSION_LOG_STATUS = 1;
    private static final int STATUS_START = 1;
    private static final int SUMMARY_VALUE = 1;
    private static final int VALUE_TAG = 1;
    private static final int VALUE_SIMPLE = 2;
    private static final double MILLIS = 1000;
    private static final int MOST_ATTEMPTS = 1000;

    private final Path folder;
    private final FileChannel channel;

    private EventFile(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Creates the next file of a folder. TensorBoard reads a folder's files one after the other, in the order of their names. */
    static EventFile create(Path folder, Instant now) throws IOException {
        Files.createDirectories(folder);
        EventFile file = new EventFile(folder, create(folder, now.getEpochSecond()));
        file.write(event(now, 0).text(EVENT_FILE_VERSION, FORMAT));
        return file;
    }

    private static FileChannel create(Path folder, long second) throws IOException {
        for (int attempt = 0; ; attempt++) {
            Path file = folder.resolve(String.format(
                    Locale.ROOT,
                    "events.out.tfevents.%010d.fleetgrad.%d.%03d",
                    second,
                    ProcessHandle.current().pid(),
                    attempt));
            try {
                return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException taken) {
                if (attempt == MOST_ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    private static ProtobufMessage event(Instant time, long step) {
        return new ProtobufMessage()
                .float64(EVENT_WALL_TIME, time.toEpochMilli() / MILLIS)
                .integer(EVENT_STEP, step);
    }

    /** Writes the event at which TensorBoard drops earlier values of this run for its step and later ones. */
    @Override
    public void begin(CurveRow first) throws IOException {
        ProtobufMessage start = new ProtobufMessage().integer(SESSION_LOG_STATUS, STATUS_START);
        // The evaluation of the version itself is still valid.
        write(event(first.time(), first.version() + 1).message(EVENT_SESSION_LOG, start));
    }

    @Override
    public void add(CurveRow row) throws IOException {
        write(event(row.time(), row.version()).message(EVENT_SUMMARY, summary(Curve.TRAINING, row)));
        if (row.heldOut().isPresent()) {
            long evaluated = row.heldOut().get().version();
            write(event(row.time(), evaluated).message(EVENT_SUMMARY, summary(Curve.HELD_OUT, row)));
        }
    }

    private static ProtobufMessage summary(List<Curve> curves, CurveRow row) {
        ProtobufMessage summary = new ProtobufMessage();
        for (Curve curve : curves) {
            OptionalDouble value = curve.in(row);
            if (value.isPresent()) {
                summary.message(
                        SUMMARY_VALUE,
                        new ProtobufMessage()
                                .text(VALUE_TAG, curve.tag())
                                // TensorBoard's scalars are float32: large counts are exact in the table only.
                                .float32(VALUE_SIMPLE, (float) value.getAsDouble()));
            }
        }
        return summary;
    }

    private void write(ProtobufMessage event) throws IOException {
        ByteBuffer record = TfRecord.framed(event.encode());
        while (record.hasRemaining()) {
            channel.write(record);
        }
    }

    @Override
    public String toString() {
        return "the event file in " + folder;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
