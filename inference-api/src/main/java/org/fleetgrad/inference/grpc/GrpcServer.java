package org.fleetgrad.inference.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.web.StartRefusedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The port of gRPC. It opens when the service is ready, and takes no new call from when the service begins to stop. */
public final class GrpcServer implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(GrpcServer.class);
    private static final int ACCEPTING = 1;
    private static final int READING = 2;
    /** Threads that answer calls which compute nothing, beside those that wait for a batch. */
    private static final int SPARE_THREADS = 16;

    private static final int RESETS = 1_000;
    private static final int RESETS_SECONDS = 10;
    /** Less than Spring waits for a phase. */
    private static final int STOP_SECONDS = 15;

    private final Port port;
    private final @Nullable SslContext tls;
    private final Connections connections;
    private final GrpcCalls calls;
    private final ServerServiceDefinition service;
    private @Nullable Running running;

    /**
     * Where it listens.
     *
     * @param address null for every one
     * @param number  0 for any free one
     */
    record Port(@Nullable InetAddress address, int number) {}

    private record Running(
            Server server, EventLoopGroup loops, ThreadPoolExecutor threads, ScheduledExecutorService look) {}

    GrpcServer(
            Port port,
            @Nullable SslContext tls,
            Connections connections,
            GrpcCalls calls,
            ServerServiceDefinition service) {
        this.port = port;
        this.tls = tls;
        this.connections = connections;
        this.calls = calls;
        this.service = service;
    }

    @Override
    public synchronized void start() {
        GrpcLimits limits = calls.limits();
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(ACCEPTING + READING, named("grpc-io"), NioIoHandler.newFactory());
        // At most as many threads wait as there are calls. What finds none free is short: its connection's own thread
        // does it.
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                0, limits.calls() + SPARE_THREADS, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), named("grpc"));
        threads.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        InetSocketAddress address = port.address() == null
                ? new InetSocketAddress(port.number())
                : new InetSocketAddress(port.address(), port.number());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address)
                .channelFactory(connections::listening)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .executor(threads)
                .maxInboundMessageSize(limits.messageBytes())
                .maxConcurrentCallsPerConnection(GrpcLimits.CALLS_OF_A_CONNECTION)
                .flowControlWindow(GrpcLimits.WINDOW)
                .handshakeTimeout(10, TimeUnit.SECONDS)
                .maxConnectionIdle(5, TimeUnit.MINUTES)
                // A client connects again between two calls; behind a name with several replicas it finds the new ones.
                .maxConnectionAge(1, TimeUnit.HOURS)
                .maxConnectionAgeGrace(limits.patience().toSeconds(), TimeUnit.SECONDS)
                .keepAliveTime(1, TimeUnit.MINUTES)
                .keepAliveTimeout(20, TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
                .addStreamTracerFactory(new Arrival.Factory())
                .addService(service);
        if (tls != null) {
            builder.sslContext(tls);
        }
        ScheduledExecutorService look = Executors.newSingleThreadScheduledExecutor(named("grpc-look"));
        Running starting = new Running(builder.build(), loops, threads, look);
        try {
            starting.server().start();
        } catch (IOException unopened) {
            close(starting);
            throw new StartRefusedException(
                    "inference.grpc-port cannot be opened: %s".formatted(reason(unopened)), unopened);
        }
        var unused = look.scheduleWithFixedDelay(calls::look, 1, 1, TimeUnit.SECONDS);
        running = starting;
        LOG.info("Open Inference Protocol over gRPC at {}:{}", host(), port());
    }

    private static String reason(IOException unopened) {
        Throwable cause = unopened.getCause() == null ? unopened : unopened.getCause();
        return unopened.getMessage() + ": " + cause.getMessage();
    }

    private String host() {
        return port.address() == null || port.address().isLoopbackAddress()
                ? "127.0.0.1"
                : port.address().getHostAddress();
    }

    /** Returns the port on which it listens, or -1. */
    public synchronized int port() {
        return running == null ? -1 : running.server().getPort();
    }

    /** Sends clients to another replica at once, while {@code Drain}, in the same phase, closes the batcher. */
    @Override
    public void stop(Runnable stopped) {
        Thread thread = new Thread(
                () -> {
                    stop();
                    stopped.run();
                },
                "grpc-stop");
        thread.start();
    }

    /** Waits for the calls that are under way, which have their answers soon. */
    @Override
    public synchronized void stop() {
        Running stopping = running;
        running = null;
        if (stopping == null) {
            return;
        }
        try {
            if (!stopping.server().shutdown().awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                stopping.server().shutdownNow().awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException hurried) {
            stopping.server().shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            close(stopping);
        }
    }

    private static void close(Running running) {
        running.look().shutdownNow();
        running.threads().shutdown();
        var unused = running.loops().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
