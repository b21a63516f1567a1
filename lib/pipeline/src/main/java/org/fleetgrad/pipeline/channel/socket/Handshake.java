package org.fleetgrad.pipeline.channel.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import org.fleetgrad.files.text.Printable;

/**
 * The first bytes of a connection: both sides prove that they know the run's token, and that they agree on the purpose.
 *
 * <pre>
 * listener: magic, 16 random bytes
 * caller:   magic, 16 random bytes, HMAC, length and text of its request
 * listener: HMAC
 * </pre>
 *
 * <p>A side that stays silent, or sends anything else, is refused within the time limit.
 */
public final class Handshake {

    private static final byte[] MAGIC = "FLEETGRAD-PIPE/1".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_BYTES = 16;
    private static final int PROOF_BYTES = 32;
    private static final int LONGEST_HELLO = 512;
    private static final String LISTENER = "listener";
    private static final String CALLER = "caller";

    private final RunToken token;
    private final Duration limit;

    /** @param limit for each read of the handshake */
    public Handshake(RunToken token, Duration limit) {
        this.token = token;
        this.limit = limit;
    }

    /**
     * Calls a listener of the run.
     *
     * @param hello what this side wants, at most 512 bytes
     * @throws IOException if the other side is no program of the run, or refuses
     */
    public void call(Socket socket, String hello) throws IOException {
        socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] theirNonce = readOpening(in);
        byte[] ownNonce = RunToken.random(NONCE_BYTES);
        byte[] text = hello.getBytes(StandardCharsets.UTF_8);
        if (text.length > LONGEST_HELLO) {
            throw new IllegalArgumentException(
                    "a hello has up to %d bytes; '%.40s...' has %d".formatted(LONGEST_HELLO, hello, text.length));
        }
        out.write(MAGIC);
        out.write(ownNonce);
        out.write(token.proof(CALLER, theirNonce, ownNonce, hello));
        out.writeShort(text.length);
        out.write(text);
        out.flush();
        if (!MessageDigest.isEqual(token.proof(LISTENER, theirNonce, ownNonce, hello), in.readNBytes(PROOF_BYTES))) {
            throw new IOException(
                    "%s does not take a connection of '%s': it is of another run, or expects another stage"
                            .formatted(socket.getRemoteSocketAddress(), hello));
        }
        socket.setSoTimeout(0);
    }

    /**
     * Reads a caller's request, before {@link #accept}.
     *
     * @return its request
     * @throws IOException if it is no program of the run
     */
    public Request readRequest(Socket socket) throws IOException {
        socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] ownNonce = RunToken.random(NONCE_BYTES);
        out.write(MAGIC);
        out.write(ownNonce);
        out.flush();
        byte[] theirNonce = readOpening(in);
        byte[] proof = in.readNBytes(PROOF_BYTES);
        int length = in.readUnsignedShort();
        if (length > LONGEST_HELLO) {
            throw new IOException("%s announces a hello of %d bytes, accepted are %d"
                    .formatted(socket.getRemoteSocketAddress(), length, LONGEST_HELLO));
        }
        String hello = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(token.proof(CALLER, ownNonce, theirNonce, hello), proof)) {
            throw new IOException("%s does not know the run's token; it says '%s'"
                    .formatted(socket.getRemoteSocketAddress(), Printable.text(hello)));
        }
        return new Request(hello, token.proof(LISTENER, ownNonce, theirNonce, hello));
    }

    /**
     * A caller that knows the token.
     *
     * @param hello what it wants
     */
    public record Request(String hello, byte[] answer) {}

    /** Accepts a caller. */
    public void accept(Socket socket, Request request) throws IOException {
        socket.getOutputStream().write(request.answer());
        socket.setSoTimeout(0);
    }

    private static byte[] readOpening(DataInputStream in) throws IOException {
        byte[] magic = in.readNBytes(MAGIC.length);
        if (!MessageDigest.isEqual(MAGIC, magic)) {
            throw new IOException("the other side does not begin like a program of a pipeline, but with %d bytes '%s'"
                    .formatted(magic.length, Printable.text(new String(magic, StandardCharsets.ISO_8859_1))));
        }
        byte[] nonce = new byte[NONCE_BYTES];
        in.readFully(nonce);
        return nonce;
    }
}
