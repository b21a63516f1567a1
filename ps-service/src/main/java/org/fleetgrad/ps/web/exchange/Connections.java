package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;

/** What can be done with a request's connection. */
final class Connections {

    private Connections() {}

    /** Begins an asynchronous answer. The container sets it no time: {@link SlowClients} does. */
    static AsyncContext async(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        return async;
    }

    /** Closes it, whatever is being read or written on it. */
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
