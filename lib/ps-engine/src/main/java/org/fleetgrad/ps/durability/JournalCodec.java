package org.fleetgrad.ps.durability;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;

/**
 * Encodes the bodies of a journal's entries, little-endian: a type, then the fields. A text is an {@code int} length
 * and UTF-8; a gradient's values come last, as float32.
 */
final class JournalCodec {

    private static final byte TAKEN = 1;
    private static final byte STEPPED = 2;
    private static final byte JOINED = 3;
    private static final byte LEFT = 4;
    private static final byte LEASED = 5;
    private static final byte RETURNED = 6;
    private static final byte STAGED = 7;
    private static final byte COMMITTED = 8;
    private static final byte DROPPED = 9;
    private static final byte ADDED = 10;

    /** Flags of a gradient. */
    private static final int STEPS = 1;

    private static final int OVER_BATCHES = 2;
    private static final int OF_SHARD = 4;
    private static final int WEIGHTED = 8;

    private static final long NO_DEADLINE = Long.MIN_VALUE;

    private static final int SHORTEST_TAKEN = 2 + 3 * Long.BYTES + Double.BYTES + 2 * Integer.BYTES;

    /** An upper bound of everything but values: requests limit ids and descriptions to far less. */
    private static final int LONGEST_OF_TEXTS = 1 << 16;

    private JournalCodec() {}

    /** Returns an upper bound of the entry's length. */
    static int bound(JournalEntry entry) {
        if (entry instanceof JournalEntry.Taken taken) {
            return bound(taken.gradient());
        }
        return entry instanceof JournalEntry.Staged staged ? bound(staged.gradient()) : LONGEST_OF_TEXTS;
    }

    private static int bound(Gradient gradient) {
        return Math.addExact(LONGEST_OF_TEXTS, Math.multiplyExact(Float.BYTES, gradient.values().length));
    }

    static void encode(JournalEntry entry, ByteBuffer into) {
        if (entry instanceof JournalEntry.Taken taken) {
            put(into.put(TAKEN), taken.gradient(), taken.makesStep() ? STEPS : 0);
        } else if (entry instanceof JournalEntry.Staged staged) {
            put(into.put(STAGED), staged.gradient(), 0);
        } else if (entry instanceof JournalEntry.Committed committed) {
            into.put(COMMITTED).put((byte) (committed.makesStep() ? STEPS : 0)).putLong(committed.sequence());
            put(into, committed.worker());
        } else if (entry instanceof JournalEntry.Dropped dropped) {
            into.put(DROPPED).putLong(dropped.sequence());
            put(into, dropped.worker());
        } else if (entry instanceof JournalEntry.Stepped) {
            into.put(STEPPED);
        } else if (entry instanceof JournalEntry.Joined joined) {
            Worker worker = joined.worker();
            into.put(JOINED)
                    .putLong(worker.deadline().map(Instant::toEpochMilli).orElse(NO_DEADLINE));
            put(into, worker.id());
            put(into, worker.description());
            put(into, worker.device());
            put(into, worker.activation().orElse(""));
        } else if (entry instanceof JournalEntry.Left left) {
            into.put(LEFT);
            put(into, left.worker());
        } else if (entry instanceof JournalEntry.Leased leased) {
            into.put(LEASED);
            put(into, leased.cursor());
            put(into, leased.worker());
        } else if (entry instanceof JournalEntry.Returned returned) {
            into.put(RETURNED);
            put(into, returned.worker());
        } else if (entry instanceof JournalEntry.Added added) {
            into.put(ADDED).putLong(added.number()).putLong(added.shard().samples());
            put(into, added.shard().name());
            put(into, added.shard().url());
        }
    }

    private static void put(ByteBuffer into, Gradient gradient, int steps) {
        GradientMetadata metadata = gradient.metadata();
        float[] values = gradient.values();
        int overBatches = metadata.batches().isPresent() ? OVER_BATCHES : 0;
        int ofShard = metadata.cursor().isPresent() ? OF_SHARD : 0;
        int weighted = metadata.lossWeight().isPresent() ? WEIGHTED : 0;
        into.put((byte) (steps | overBatches | ofShard | weighted));
        metadata.batches().ifPresent(into::putLong);
        metadata.cursor().ifPresent(cursor -> put(into, cursor));
        metadata.lossWeight().ifPresent(into::putDouble);
        into.putLong(metadata.sequence()).putLong(metadata.baseVersion());
        into.putLong(metadata.samples()).putDouble(metadata.loss());
        put(into, metadata.worker());
        into.putInt(values.length);
        into.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
        into.position(into.position() + Float.BYTES * values.length);
    }

    /**
     * Returns whether bytes can be an entry, judging by the type and the length: cheaper than the checksum.
     *
     * @param second the byte after the type, if there is one
     */
    static boolean isPlausible(int length, byte type, byte second) {
        return switch (type) {
            case TAKEN, STAGED ->
                length > SHORTEST_TAKEN && (second & ~(STEPS | OVER_BATCHES | OF_SHARD | WEIGHTED)) == 0;
            case STEPPED -> length == 1;
            case JOINED, LEFT, LEASED, RETURNED, COMMITTED, DROPPED, ADDED -> length > 1 && length <= LONGEST_OF_TEXTS;
            default -> false;
        };
    }

    /**
     * Reads an entry.
     *
     * @param generation the generation that its gradients were computed on
     * @throws IllegalArgumentException if the bytes are no entry; the message says why
     */
    static JournalEntry decode(ByteBuffer body, String generation) {
        try {
            JournalEntry entry = decodeType(body, generation);
            if (body.hasRemaining()) {
                throw new IllegalArgumentException("%d bytes are left over".formatted(body.remaining()));
            }
            return entry;
        } catch (BufferUnderflowException tooShort) {
            throw new IllegalArgumentException("its %d bytes are too few".formatted(body.limit()), tooShort);
        }
    }

    private static JournalEntry decodeType(ByteBuffer body, String generation) {
        byte type = body.get();
        return switch (type) {
            case TAKEN -> {
                int flags = body.get();
                yield new JournalEntry.Taken(gradient(body, flags, generation), (flags & STEPS) != 0);
            }
            case STAGED -> new JournalEntry.Staged(gradient(body, body.get(), generation));
            case COMMITTED -> {
                boolean makesStep = (body.get() & STEPS) != 0;
                long sequence = body.getLong();
                yield new JournalEntry.Committed(text(body), sequence, makesStep);
            }
            case DROPPED -> {
                long sequence = body.getLong();
                yield new JournalEntry.Dropped(text(body), sequence);
            }
            case STEPPED -> new JournalEntry.Stepped();
            case JOINED -> new JournalEntry.Joined(worker(body));
            case LEFT -> new JournalEntry.Left(text(body));
            case LEASED -> {
                Cursor cursor = cursor(body);
                yield new JournalEntry.Leased(text(body), cursor);
            }
            case RETURNED -> new JournalEntry.Returned(text(body));
            case ADDED -> {
                long number = body.getLong();
                long samples = body.getLong();
                String name = text(body);
                yield new JournalEntry.Added(number, new PlannedShard(name, text(body), samples));
            }
            default -> throw new IllegalArgumentException("its type is %d".formatted(type));
        };
    }

    private static Gradient gradient(ByteBuffer body, int flags, String generation) {
        OptionalLong batches = (flags & OVER_BATCHES) == 0 ? OptionalLong.empty() : OptionalLong.of(body.getLong());
        Optional<Cursor> cursor = (flags & OF_SHARD) == 0 ? Optional.empty() : Optional.of(cursor(body));
        OptionalDouble lossWeight =
                (flags & WEIGHTED) == 0 ? OptionalDouble.empty() : OptionalDouble.of(body.getDouble());
        long sequence = body.getLong();
        long baseVersion = body.getLong();
        long samples = body.getLong();
        double loss = body.getDouble();
        String worker = text(body);
        int count = body.getInt();
        if (count < 0 || body.remaining() != (long) Float.BYTES * count) {
            throw new IllegalArgumentException(
                    "it states %d values and has %d bytes for them".formatted(count, body.remaining()));
        }
        float[] values = new float[count];
        body.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        body.position(body.limit());
        return new Gradient(
                new GradientMetadata(
                        worker, sequence, generation, baseVersion, samples, loss, cursor, batches, lossWeight),
                values);
    }

    private static Worker worker(ByteBuffer body) {
        long deadline = body.getLong();
        return new Worker(
                text(body),
                text(body),
                text(body),
                deadline == NO_DEADLINE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(deadline)),
                Instant.EPOCH,
                Optional.of(text(body)).filter(activation -> !activation.isEmpty()),
                Optional.empty());
    }

    private static void put(ByteBuffer into, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        into.putInt(bytes.length).put(bytes);
    }

    private static void put(ByteBuffer into, Cursor cursor) {
        into.putLong(cursor.epoch()).putInt(cursor.shard()).putLong(cursor.sample());
    }

    private static Cursor cursor(ByteBuffer body) {
        return new Cursor(body.getLong(), body.getInt(), body.getLong());
    }

    private static String text(ByteBuffer body) {
        int length = body.getInt();
        if (length < 0 || length > body.remaining()) {
            throw new IllegalArgumentException(
                    "it states a text of %d bytes, %d are left".formatted(length, body.remaining()));
        }
        byte[] bytes = new byte[length];
        body.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
