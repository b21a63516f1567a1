package org.fleetgrad.openwhisk.fake;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Talks to a container as OpenWhisk's default client does: a new connection for each request, and responses must have a
 * length.
 */
final class ContainerConnection {

    private static final int LONGEST = 64 * 1024 * 1024;
    private static final int LONGEST_HEAD = 64 * 1024;
    private static final String LENGTH = "content-length:";

    private final URI address;

    ContainerConnection(URI address) {
        this.address = address;
    }

    ContainerReply post(String path, byte[] body, Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), left(deadline));
            String head = """
                    POST %s HTTP/1.1\r
                    Host: %s\r
                    Accept: application/json\r
                    Content-Type: application/json\r
                    Content-Length: %d\r
                    Connection: Keep-Alive\r
                    User-Agent: Apache-HttpClient/4.5.5 (Java/11)\r
                    Accept-Encoding: gzip,deflate\r
                    \r
                    """.formatted(path, address.getAuthority(), body.length);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return answer(socket, deadline);
        } catch (ConnectException refused) {
            return new ContainerReply.Absent();
        } catch (SocketTimeoutException late) {
            return new ContainerReply.Late();
        } catch (SilentEnd silent) {
            return new ContainerReply.Silent();
        } catch (IOException broken) {
            return new ContainerReply.Broken();
        }
    }

    private static ContainerReply answer(Socket socket, long deadline) throws IOException {
        List<String> head = head(socket, deadline).lines().toList();
        String[] status = head.get(0).split(" ");
        if (status.length < 2 || !status[1].matches("\\d{3}")) {
            return new ContainerReply.Broken();
        }
        for (String line : head) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                String length = line.substring(LENGTH.length()).strip();
                if (!length.matches("\\d{1,8}") || Integer.parseInt(length) > LONGEST) {
                    return new ContainerReply.Broken();
                }
                return new ContainerReply.Answered(
                        Integer.parseInt(status[1]), read(socket, Integer.parseInt(length), deadline));
            }
        }
        return new ContainerReply.Broken();
    }

    private static String head(Socket socket, long deadline) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        int newlines = 0;
        while (newlines < 2) {
            socket.setSoTimeout(left(deadline));
            int next = in.read();
            if (next < 0 && head.size() == 0) {
                throw new SilentEnd();
            }
            if (next < 0 || head.size() > LONGEST_HEAD) {
                throw new EOFException("the head is cut");
            }
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** The connection ended in order, before the first byte of a response. */
    private static final class SilentEnd extends EOFException {
        private static final long serialVersionUID = 1L;
    }

    private static byte[] read(Socket socket, int length, long deadline) throws IOException {
        byte[] body = new byte[length];
        for (int have = 0; have < length; ) {
            socket.setSoTimeout(left(deadline));
            int got = socket.getInputStream().read(body, have, length - have);
            if (got < 0) {
                throw new EOFException("the body is cut after %d of %d bytes".formatted(have, length));
            }
            have += got;
        }
        return body;
    }

    private static int left(long deadline) throws SocketTimeoutException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis < 1) {
            throw new SocketTimeoutException("the time is over");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
