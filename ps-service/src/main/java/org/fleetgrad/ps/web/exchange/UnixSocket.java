package org.fleetgrad.ps.web.exchange;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.fleetgrad.web.StartRefusedException;

/**
 * A Unix domain socket beside the port, for workers of this machine: their bytes pass no network stack. Only the user who
 * runs the server may connect. A server that was killed leaves its socket file; the next one removes it, unless a program
 * listens there.
 */
final class UnixSocket extends UnixDomainServerConnector {

    /** A complete LeNet-5 gradient fits in the kernel's buffer, so that neither side waits for the other in the middle of one. */
    private static final int SEND_BUFFER_BYTES = 512 * 1024;

    private static final String OWNER_ONLY = "rw-------";

    private volatile boolean isOurs;

    private UnixSocket(Server server, Path path, HttpConfiguration http) {
        super(server, new HttpConnectionFactory(http));
        setName("unix");
        setUnixDomainPath(path);
        setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
    }

    /** Returns a socket whose connections have the limits of those of the server's port. */
    static UnixSocket beside(Server server, Path path) {
        Connector port = server.getConnectors()[0];
        HttpConfiguration http =
                port.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration();
        UnixSocket socket = new UnixSocket(server, path, new HttpConfiguration(http));
        socket.setIdleTimeout(port.getIdleTimeout());
        return socket;
    }

    /**
     * Reads the setting {@code ps.unix-socket}.
     *
     * @throws StartRefusedException if it is not a valid socket path
     */
    static Path path(String setting) {
        Path path = Path.of(setting);
        int bytes = setting.getBytes(StandardCharsets.UTF_8).length;
        if (!path.isAbsolute() || bytes > MAX_UNIX_DOMAIN_PATH_LENGTH) {
            throw new StartRefusedException(
                    "ps.unix-socket is '%s'; write an absolute path of at most %d bytes (it has %d), such as /run/fleetgrad/ps.sock"
                            .formatted(setting, MAX_UNIX_DOMAIN_PATH_LENGTH, bytes));
        }
        return path;
    }

    @Override
    protected void doStart() throws Exception {
        Path path = getUnixDomainPath();
        try {
            removeLeftOver(path);
            isOurs = true;
            super.doStart();
            if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(OWNER_ONLY));
            }
        } catch (IOException failure) {
            throw new StartRefusedException(
                    "ps.unix-socket: no socket at %s: %s".formatted(path, failure.getMessage()), failure);
        }
    }

    /** Jetty removes the path when it stops: it must not remove the file that made it refuse to start. */
    @Override
    protected void doStop() throws Exception {
        if (isOurs) {
            super.doStop();
        }
    }

    private static void removeLeftOver(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw new IOException("a file or a folder is there, and it is no socket");
        }
        if (isListening(path)) {
            throw new IOException("another program listens there");
        }
        Files.delete(path);
    }

    private static boolean isListening(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException nobody) {
            return false;
        }
    }
}
