package org.fleetgrad.inference.grpc;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferResponse;
import org.fleetgrad.openinference.ServerLiveResponse;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** A port whose answers are as long, and come when, a test says. */
final class ServerWithoutModel implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final Duration AWAITED = Duration.ofSeconds(60);
    static final int CALLS = 16;
    static final int CONNECTIONS = 3;
    static final int LARGEST = 1 << 20;
    static final int MEMORY = 1_500_000;

    private final AtomicLong now = new AtomicLong();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Connections connections = new Connections(CONNECTIONS);
    private final BodyMemory memory = new BodyMemory(MEMORY);
    private final GrpcCalls calls =
            new GrpcCalls(new GrpcLimits(LARGEST, CALLS, CONNECTIONS, PATIENCE), memory, now::get);
    private final CountDownLatch release = new CountDownLatch(1);
    private final GrpcServer server = server(0);

    private GrpcServer server(int port) {
        Guard guard =
                new Guard(RouteTable.builder().build(), Optional.empty(), new Rates(RateLimits.NONE, System::nanoTime));
        Answering answering = new Answering(guard, calls, connections::close, metrics);
        Answering.Route route = new Answering.Route("POST", "/any");
        return new GrpcServer(
                new GrpcServer.Port(InetAddress.getLoopbackAddress(), port),
                null,
                connections,
                calls,
                ServerServiceDefinition.builder(GRPCInferenceServiceGrpc.SERVICE_NAME)
                        .addMethod(answering.open(
                                GRPCInferenceServiceGrpc.getServerLiveMethod(),
                                route,
                                () -> ServerLiveResponse.newBuilder()
                                        .setLive(true)
                                        .build()))
                        .addMethod(answering.method(
                                GRPCInferenceServiceGrpc.getModelInferMethod(),
                                route,
                                ModelInferRequest.parser(),
                                RequestSize::of,
                                this::answer))
                        .build());
    }

    /** Answers with as many bytes as the id says, or waits. */
    private ModelInferResponse answer(ModelInferRequest request) {
        if (request.getId().equals("wait")) {
            await().atMost(AWAITED).until(() -> release.getCount() == 0);
        }
        int bytes = request.getId().matches("[0-9]+") ? Integer.parseInt(request.getId()) : 0;
        return ModelInferResponse.newBuilder()
                .addRawOutputContents(ByteString.copyFrom(new byte[bytes]))
                .build();
    }

    /** Without Spring nobody has said that Netty writes no frame into the log. */
    static void quiet() {
        LoggingSystem.get(ServerWithoutModel.class.getClassLoader()).setLogLevel("io", LogLevel.WARN);
    }

    GrpcServer server() {
        return server;
    }

    /** Returns another server that shall listen at the same port. */
    GrpcServer another() {
        return server(server.port());
    }

    Connections connections() {
        return connections;
    }

    GrpcCalls calls() {
        return calls;
    }

    BodyMemory memory() {
        return memory;
    }

    SimpleMeterRegistry metrics() {
        return metrics;
    }

    /** Lets the time pass in which a message must have arrived, or an answer must be taken. */
    void passPatience() {
        now.addAndGet(PATIENCE.toNanos());
    }

    /** Lets the answers come that wait. */
    void release() {
        release.countDown();
    }

    @Override
    public void close() {
        release();
        server.stop();
    }
}
