package org.fleetgrad.inference.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import org.jspecify.annotations.Nullable;

/** Tells a call of each piece of its message as it arrives, long before the message is whole, and of each piece that is unpacked. */
final class Arrival extends ServerStreamTracer {

    /** What a piece takes beside its bytes, in gRPC and in Netty: pieces may have one byte each. */
    static final int PIECE = 256;

    private static final Context.Key<Arrival> OF_CALL = Context.key("arrival");

    private volatile @Nullable Memory memory;

    /** The memory of a call's message. */
    interface Memory {

        /** A piece is there. */
        void arrived(long bytes);

        /** Returns whether the message may be so large; if not, the call is refused, and what remains of its message is not wanted. */
        boolean unpack(long total);
    }

    /** Makes one for each call. */
    static final class Factory extends ServerStreamTracer.Factory {

        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new Arrival();
        }
    }

    /** Returns that of the call that this thread handles. */
    static @Nullable Arrival ofCall() {
        return OF_CALL.get();
    }

    /** Begins to tell; to be called before the message is asked for. */
    void tell(Memory of) {
        memory = of;
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(OF_CALL, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        Memory told = memory;
        if (told != null) {
            told.arrived(bytes + PIECE);
        }
    }

    boolean unpack(long total) {
        Memory told = memory;
        return told == null || told.unpack(total);
    }
}
