package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * One registered worker that pushes the same small gradient with a new sequence number each time. For one thread.
 */
public final class GradientPushes {

    /** So small that the pushes of a warm-up do not move the parameters, from which training may begin. */
    private static final float SMALL = 1e-12f;

    private final TensorLayout layout;
    private final String path;
    private final String worker;
    private final ParameterVersion base;
    private final byte[] data;
    private long sequence;

    /** Registers a worker, whose pushes may ask for the new parameters. */
    public GradientPushes(PsClient server, TensorLayout layout, boolean isPulling) throws IOException {
        this.layout = layout;
        this.path = isPulling ? Routes.PUT_GRADIENT + "?pull=true" : Routes.PUT_GRADIENT;
        this.worker = server.register(new RegisterWorkerRequest(null, "load", null, "cpu"))
                .id();
        VersionReply version = server.version();
        this.base = new ParameterVersion(version.generation(), version.version());
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putFloat(SMALL);
        }
        this.data = bytes.array();
    }

    public GradientMetadata nextMetadata() {
        return metadata(++sequence);
    }

    private GradientMetadata metadata(long number) {
        return new GradientMetadata(worker, number, base.generation(), base.version(), 32, 1.0);
    }

    /** Returns the bytes of a whole request, with its head; now and then the sequence number grows by a digit. */
    public int requestBytes() {
        byte[] header = SafetensorsHeader.encode(layout, metadata(1).toMap(), 0);
        return head(header).length + header.length + data.length;
    }

    public void push(LoadConnection connection) throws IOException {
        byte[] header = SafetensorsHeader.encode(layout, nextMetadata().toMap(), 0);
        connection.exchange(head(header), header, data);
    }

    private byte[] head(byte[] header) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + HeaderNames.SAFETENSORS
                        + "\r\nContent-Length: " + (header.length + data.length) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
