package org.fleetgrad.worker.action;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that stop in the middle of a request, and keep their connections. */
public final class HalfRequests {

    private static final int CLIENTS = 20;

    private HalfRequests() {}

    /** What is done meanwhile. */
    @FunctionalInterface
    public interface Meanwhile {

        void run() throws IOException;
    }

    /** Holds the beginning of a request to a port of this machine from many clients, and does something meanwhile. */
    public static void hold(int port, String half, Meanwhile meanwhile) throws IOException {
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
                clients.add(client);
                client.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
            }

            meanwhile.run();
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}
