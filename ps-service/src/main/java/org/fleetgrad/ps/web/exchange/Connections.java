package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;

/** Closes a request's connection, whatever is being read or written on it. */
final class Connections {

    private Connections() {}

    static void cut(ServletRequest request, String why) {
        EndPoint end = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        IOException slow = new IOException(why);
        // The encrypted end would still say goodbye, to a client that does not read.
        if (end instanceof SslConnection.SslEndPoint encrypted) {
            encrypted.getSslConnection().getEndPoint().close(slow);
        }
        end.close(slow);
    }
}
