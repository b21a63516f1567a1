package org.fleetgrad.inference.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.jspecify.annotations.Nullable;

/**
 * Makes methods of functions. Each is guarded as a route of REST, with the same tokens and limits of rates, and is refused as that would
 * be; then it is admitted, read, answered and counted.
 *
 * @param disconnect ends the connection from an address
 */
record Answering(Guard guard, GrpcCalls calls, Consumer<SocketAddress> disconnect, MeterRegistry metrics) {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** A text has two bytes for each of the message's, beside these. */
    private static final int TEXT = 3;

    /** The route of REST whose permission a method has. */
    record Route(String method, String path) {}

    /** Makes a method for callers with a permission. */
    <Q extends Message, A> ServerMethodDefinition<byte[], A> method(
            MethodDescriptor<Q, A> method, Route route, Parser<Q> parser, Function<Q, A> answer) {
        return method(method, route, parser, message -> (long) message.length * TEXT, answer);
    }

    /**
     * Makes a method for callers with a permission.
     *
     * @param size memory that a message takes with what becomes of it, or a refusal
     */
    <Q extends Message, A> ServerMethodDefinition<byte[], A> method(
            MethodDescriptor<Q, A> method,
            Route route,
            Parser<Q> parser,
            ToLongFunction<byte[]> size,
            Function<Q, A> answer) {
        // What a client of a later protocol adds is not kept: fields that nobody knows take far more memory than bytes.
        Parser<Q> known = DiscardUnknownFieldsParser.wrap(parser);
        return define(method, (call, headers) -> {
            UnaryCall<A> unary =
                    new UnaryCall<>(call, size, message -> answer.apply(read(method, known, message)), counted(method));
            admit(route, call, headers, unary, () -> unary.begin(calls, () -> disconnect(call)));
            return unary;
        });
    }

    /** Makes a method for everybody. Its message is empty, and is not even read: who sends it may be anybody. */
    <Q, A> ServerMethodDefinition<byte[], A> open(MethodDescriptor<Q, A> method, Route route, Supplier<A> answer) {
        return define(method, (call, headers) -> {
            UnaryCall<A> unary = new UnaryCall<>(call, unread -> 0, unread -> answer.get(), counted(method));
            admit(route, call, headers, unary, () -> unary.send(answer.get()));
            return unary;
        });
    }

    private static <Q, A> ServerMethodDefinition<byte[], A> define(
            MethodDescriptor<Q, A> method, ServerCallHandler<byte[], A> handler) {
        return ServerMethodDefinition.create(
                method.toBuilder(new WholeMessage(), method.getResponseMarshaller())
                        .build(),
                handler);
    }

    private void admit(Route route, ServerCall<?, ?> call, Metadata headers, UnaryCall<?> unary, Runnable admitted) {
        try {
            guard.admit(new Guard.Head(
                    route.method(), route.path(), false, headers.get(AUTHORIZATION), null, address(call)));
            admitted.run();
        } catch (RequestRefused refused) {
            unary.close(Refusal.of(refused));
        }
    }

    private static String address(ServerCall<?, ?> call) {
        return remote(call) instanceof InetSocketAddress from && from.getAddress() != null
                ? from.getAddress().getHostAddress()
                : "";
    }

    private static @Nullable SocketAddress remote(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    private void disconnect(ServerCall<?, ?> call) {
        SocketAddress address = remote(call);
        if (address != null) {
            disconnect.accept(address);
        }
    }

    private static <Q extends Message> Q read(MethodDescriptor<Q, ?> method, Parser<Q> parser, byte[] message) {
        try {
            // The tensors are parts of these bytes, not copies.
            CodedInputStream bytes = UnsafeByteOperations.unsafeWrap(message).newCodedInput();
            bytes.enableAliasing(true);
            Q request = parser.parseFrom(bytes);
            bytes.checkLastTagWas(0);
            return request;
        } catch (InvalidProtocolBufferException malformed) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the %d bytes of the message are no request of %s: %s"
                            .formatted(message.length, method.getBareMethodName(), malformed.getMessage()));
        }
    }

    private UnaryCall.End counted(MethodDescriptor<?, ?> method) {
        Timer.Sample begin = Timer.start(metrics);
        return status -> begin.stop(Timer.builder("inference.grpc.calls")
                .description("Time from the head of a call to its answer")
                .tag("method", String.valueOf(method.getBareMethodName()))
                .tag("status", status.getCode().name())
                .register(metrics));
    }
}
