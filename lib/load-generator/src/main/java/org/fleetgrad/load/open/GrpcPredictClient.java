package org.fleetgrad.load.open;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.ModelMetadataRequest;
import org.fleetgrad.openinference.ModelMetadataResponse;

/** One connection of HTTP/2, with one call at a time. A call is sent at most once: a retry would hide a failure. */
final class GrpcPredictClient implements PredictClient {

    private static final int MOST_ANSWER_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final int REFUSED = 400;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final MethodDescriptor<byte[], byte[]> INFER =
            GRPCInferenceServiceGrpc.getModelInferMethod().toBuilder(new Bytes(), new Bytes())
                    .build();

    private final Duration timeout;
    private final Optional<ServiceToken> token;
    private final ManagedChannel channel;
    private final AtomicLong connections = new AtomicLong();

    /** A message that is bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    /**
     * Prepares a connection.
     *
     * @param trust a PEM file of the certificates to trust; empty for the JDK's
     * @throws IllegalArgumentException if the file is unusable
     */
    GrpcPredictClient(URI url, Duration timeout, String trust, Optional<ServiceToken> token) {
        this.timeout = timeout;
        this.token = token;
        boolean isSecure = "https".equals(url.getScheme());
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(
                        url.getHost(), url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80)
                .disableRetry()
                .maxInboundMessageSize(MOST_ANSWER_BYTES)
                .userAgent("fleetgrad-load");
        if (!isSecure) {
            builder.usePlaintext();
        } else if (!trust.isEmpty()) {
            try {
                builder.sslContext(GrpcSslContexts.forClient()
                        .trustManager(Path.of(trust).toFile())
                        .build());
            } catch (IOException | IllegalArgumentException unusable) {
                throw new IllegalArgumentException("%s cannot be trusted: %s".formatted(trust, unusable.getMessage()));
            }
        }
        this.channel = builder.build();
        count();
    }

    /** Counts each connection that is made. */
    private void count() {
        ConnectivityState state = channel.getState(false);
        if (state == ConnectivityState.READY) {
            connections.incrementAndGet();
        }
        if (state != ConnectivityState.SHUTDOWN) {
            channel.notifyWhenStateChanged(state, this::count);
        }
    }

    @Override
    public void connect() throws IOException {
        Optional<String> unusedToken = token.isPresent() ? token.get().authorization() : Optional.empty();
        long end = System.nanoTime() + timeout.toNanos();
        for (ConnectivityState state = channel.getState(true);
                state != ConnectivityState.READY;
                state = channel.getState(true)) {
            if (state == ConnectivityState.TRANSIENT_FAILURE || System.nanoTime() > end) {
                throw new IOException("no connection");
            }
            await(state);
        }
    }

    private void await(ConnectivityState state) throws IOException {
        CountDownLatch changed = new CountDownLatch(1);
        channel.notifyWhenStateChanged(state, changed::countDown);
        try {
            boolean unused = changed.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    /** Asks what the model takes. */
    ModelMetadataResponse metadata(String model) throws IOException {
        try {
            return ClientCalls.blockingUnaryCall(
                    authorized(),
                    GRPCInferenceServiceGrpc.getModelMetadataMethod(),
                    options(),
                    ModelMetadataRequest.newBuilder().setName(model).build());
        } catch (StatusRuntimeException failed) {
            throw new IOException(text(failed.getStatus()), failed);
        }
    }

    private CallOptions options() {
        return CallOptions.DEFAULT.withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Channel authorized() throws IOException {
        Optional<String> authorization = token.isPresent() ? token.get().authorization() : Optional.empty();
        if (authorization.isEmpty()) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, authorization.get());
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    @Override
    public Reply send(byte[] body) throws IOException {
        try {
            return new Reply(OK, ClientCalls.blockingUnaryCall(authorized(), INFER, options(), body));
        } catch (StatusRuntimeException failed) {
            Status status = failed.getStatus();
            switch (status.getCode()) {
                case DEADLINE_EXCEEDED -> throw new SocketTimeoutException(text(status));
                case CANCELLED -> throw new IOException(text(status), failed);
                case UNAUTHENTICATED -> {
                    if (token.isPresent()) {
                        // Expired, or of a restarted service. The call counts as failed; the next one uses another
                        // token.
                        token.get().invalidate(token.get().authorization().orElse(""));
                    }
                }
                default -> {
                    if (status.getCause() instanceof IOException broken) {
                        throw broken;
                    }
                }
            }
            return new Reply(REFUSED, text(status).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Only the description of an invalid request is always the same; others have numbers of their own. */
    private static String text(Status status) {
        boolean isConstant = status.getCode() == Status.Code.INVALID_ARGUMENT
                || status.getCode() == Status.Code.NOT_FOUND
                || status.getCode() == Status.Code.UNIMPLEMENTED;
        return isConstant && status.getDescription() != null
                ? "status %s (%s)".formatted(status.getCode(), status.getDescription())
                : "status " + status.getCode();
    }

    @Override
    public Reply giveFeedback(byte[] body) {
        throw new UnsupportedOperationException("the protocol has no feedback");
    }

    @Override
    public long connections() {
        return connections.get();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
