package org.fleetgrad.inference.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open connections, by the address at their other end: their number is bounded, and each can be ended. Thread-safe. */
final class Connections {

    private final int most;
    private final Map<SocketAddress, Channel> open = new ConcurrentHashMap<>();

    Connections(int most) {
        this.most = most;
    }

    int size() {
        return open.size();
    }

    /** Ends the connection from an address: its client takes no answers. */
    void close(SocketAddress address) {
        Channel connection = open.get(address);
        if (connection != null) {
            var unused = connection.close();
        }
    }

    /** Makes the channel that listens. */
    ServerChannel listening() {
        return new Listening();
    }

    private boolean isKept(Channel accepted) {
        SocketAddress address = accepted.remoteAddress();
        if (address == null || open.size() >= most) {
            return false;
        }
        open.put(address, accepted);
        accepted.closeFuture().addListener(closed -> open.remove(address, accepted));
        return true;
    }

    /** Closes what it accepts beyond the most before anything is read from it. */
    private final class Listening extends NioServerSocketChannel {

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int before = accepted.size();
            int read = super.doReadMessages(accepted);
            for (int i = accepted.size() - 1; i >= before; i--) {
                if (accepted.get(i) instanceof Channel connection && !isKept(connection)) {
                    accepted.remove(i);
                    connection.unsafe().closeForcibly();
                }
            }
            return read;
        }
    }
}
