package org.fleetgrad.inference.grpc;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The bytes of a message, which are read later. */
final class WholeMessage implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] message) {
        return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
        try {
            return message.readAllBytes();
        } catch (IOException impossible) {
            // The message is in memory.
            throw new UncheckedIOException(impossible);
        }
    }
}
