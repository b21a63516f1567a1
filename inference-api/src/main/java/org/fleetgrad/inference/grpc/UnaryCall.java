package org.fleetgrad.inference.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.ToLongFunction;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call of one message that has one answer: the bytes of the message come here, each counted as it arrives, and it is read only once
 * there is memory for what it becomes.
 *
 * @param <A> type of the answer
 */
final class UnaryCall<A> extends ServerCall.Listener<byte[]> implements Arrival.Memory {

    private static final Logger LOG = LoggerFactory.getLogger(UnaryCall.class);

    private final ServerCall<byte[], A> call;
    private final ToLongFunction<byte[]> size;
    private final Answer<A> answer;
    private final End end;
    private volatile GrpcCalls.@Nullable Admitted admitted;
    private byte @Nullable [] message;
    private boolean isAnswered;

    /** Answers a message. */
    @FunctionalInterface
    interface Answer<A> {

        /** Answers, or throws {@link RequestRefused} or {@link InvalidImagesException}. */
        A of(byte[] message);
    }

    /** Is told once how a call ended. */
    @FunctionalInterface
    interface End {
        void ended(Status status);
    }

    /**
     * Makes a call.
     *
     * @param size memory of a message with what becomes of it, or a refusal
     */
    UnaryCall(ServerCall<byte[], A> call, ToLongFunction<byte[]> size, Answer<A> answer, End end) {
        this.call = call;
        this.size = size;
        this.answer = answer;
        this.end = end;
    }

    /** Admits the call, and asks for its message. */
    void begin(GrpcCalls calls, Runnable disconnect) {
        long patience = calls.limits().patience().toSeconds();
        admitted = calls.admit(() -> {
            // Its message, or, if it is answered, its client's acknowledgement, did not come in time.
            if (!close(Refusal.of(
                    Status.Code.DEADLINE_EXCEEDED, "the message did not end within %d s".formatted(patience)))) {
                disconnect.run();
            }
        });
        Arrival arrival = Arrival.ofCall();
        if (arrival != null) {
            arrival.tell(this);
        }
        // One more than there may be: it is refused instead of awaited.
        call.request(2);
    }

    @Override
    public void arrived(long bytes) {
        GrpcCalls.Admitted own = admitted;
        if (own != null) {
            try {
                own.take(bytes);
            } catch (RequestRefused refused) {
                close(Refusal.of(refused));
            }
        }
    }

    @Override
    public boolean unpack(long total) {
        GrpcCalls.Admitted own = admitted;
        if (own != null) {
            try {
                own.takeUpTo(total);
            } catch (RequestRefused refused) {
                close(Refusal.of(refused));
            }
        }
        return !isAnswered();
    }

    @Override
    public void onMessage(byte[] next) {
        if (message != null) {
            close(Refusal.of(Status.Code.INVALID_ARGUMENT, "the call has more than 1 message"));
        }
        message = next;
    }

    @Override
    public void onHalfClose() {
        byte[] whole = message;
        message = null;
        if (whole == null) {
            close(Refusal.of(Status.Code.INVALID_ARGUMENT, "the call has no message"));
            return;
        }
        if (call.isCancelled() || isAnswered()) {
            return;
        }
        try {
            GrpcCalls.Admitted own = admitted;
            if (own != null) {
                own.arrived();
                own.takeUpTo(size.applyAsLong(whole));
            }
            send(answer.of(whole));
        } catch (RequestRefused refused) {
            close(Refusal.of(refused));
        } catch (InvalidImagesException invalid) {
            close(Refusal.of(Refusals.of(invalid)));
        } catch (RuntimeException bug) {
            if (!call.isCancelled()) {
                LOG.error("a call failed", bug);
                close(Refusal.of(Status.Code.INTERNAL, "see the log of the service"));
            }
        }
    }

    /** Sends an answer. */
    void send(A reply) {
        if (isFirst()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(reply);
            call.close(Status.OK, new Metadata());
            end.ended(Status.OK);
        }
    }

    /** Sends a refusal, and returns whether it is the first answer. */
    boolean close(Refusal refusal) {
        if (!isFirst()) {
            return false;
        }
        call.close(refusal.status(), refusal.headers());
        end.ended(refusal.status());
        return true;
    }

    private synchronized boolean isAnswered() {
        return isAnswered;
    }

    private synchronized boolean isFirst() {
        if (isAnswered) {
            return false;
        }
        isAnswered = true;
        GrpcCalls.Admitted own = admitted;
        if (own != null) {
            own.answered();
        }
        return true;
    }

    @Override
    public void onComplete() {
        over();
    }

    @Override
    public void onCancel() {
        if (isFirst()) {
            end.ended(Status.CANCELLED);
        }
        over();
    }

    private void over() {
        message = null;
        GrpcCalls.Admitted own = admitted;
        if (own != null) {
            own.end();
        }
    }
}
