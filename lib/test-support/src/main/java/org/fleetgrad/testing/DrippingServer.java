package org.fleetgrad.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server that sends the beginning of a response to every client, and then a byte now and then. It never reads. */
public final class DrippingServer implements AutoCloseable {

    private final ServerSocket socket;
    private final byte[] begin;
    private final CountDownLatch end = new CountDownLatch(1);

    private DrippingServer(ServerSocket socket, byte[] begin) {
        this.socket = socket;
        this.begin = begin;
    }

    /** Starts one on a free port; with an empty beginning it only accepts connections. */
    public static DrippingServer start(String begin) throws IOException {
        DrippingServer server = new DrippingServer(
                new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), begin.getBytes(StandardCharsets.ISO_8859_1));
        Thread thread = new Thread(server::serve, "dripping-server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private void serve() {
        try (Socket client = socket.accept()) {
            OutputStream out = client.getOutputStream();
            out.write(begin);
            while (!end.await(5, TimeUnit.MILLISECONDS)) {
                if (begin.length > 0) {
                    out.write('x');
                }
            }
        } catch (IOException gone) {
            // The client has given up, as it should.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        socket.close();
    }
}
