package org.fleetgrad.ps.web.exchange;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.security.Callers;

/**
 * The fast path of the routes that workers use all the time: from the connection to the route and back, without
 * servlets, filters and observations. What those do for the other routes happens here as plain calls, with the same
 * responses and the same meters: the state of the run, the caller and its rates, the lease of the sender, the time of
 * the request. Every other route takes the servlet path.
 */
final class FastPath extends Handler.Wrapper {

    private final Map<String, ExchangeHandler> routes;
    private final Guard guard;
    private final Training training;
    private final Leases leases;
    private final Exchange.Tools tools;

    FastPath(
            Handler slowPath,
            List<ExchangeHandler> handlers,
            Guard guard,
            Training training,
            Leases leases,
            Exchange.Tools tools) {
        super(slowPath);
        Map<String, ExchangeHandler> byPath = new HashMap<>();
        handlers.forEach(handler -> byPath.put(handler.path(), handler));
        this.routes = Map.copyOf(byPath);
        this.guard = guard;
        this.training = training;
        this.leases = leases;
        this.tools = tools;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        ExchangeHandler handler = routes.get(Request.getPathInContext(request));
        if (handler == null) {
            return super.handle(request, response, callback);
        }
        boolean takesTensors = handler.takesTensors() && handler.method().equals(request.getMethod());
        Exchange exchange = new Exchange(tools, handler.path(), takesTensors, request, response, callback);
        exchange.guarded(() -> {
            exchange.setCaller(admitted(request));
            requireMethod(handler, request);
            handler.handle(exchange);
        });
        return true;
    }

    private Caller admitted(Request request) {
        if (!training.isRecovered()) {
            throw OutcomeProblems.recovering();
        }
        HttpFields headers = request.getHeaders();
        Caller caller = caller(request, headers);
        Callers.renewLease(Optional.of(caller), headers.get(HeaderNames.WORKER), leases);
        return caller;
    }

    private Caller caller(Request request, HttpFields headers) {
        boolean isInitial = "*".equals(headers.get(HttpHeader.IF_NONE_MATCH)) && !headers.contains(HttpHeader.IF_MATCH);
        Guard.Head head = new Guard.Head(
                request.getMethod(),
                request.getHttpURI().getPath(),
                isInitial,
                headers.get(HttpHeader.AUTHORIZATION),
                headers.get(HeaderNames.WORKER),
                Request.getRemoteAddr(request));
        // None of these routes is public.
        return guard.admit(head).orElseThrow();
    }

    private static void requireMethod(ExchangeHandler handler, Request request) {
        if (!handler.method().equals(request.getMethod())) {
            throw new RequestRefused(
                    ProblemKind.METHOD_NOT_ALLOWED,
                    "%s knows %s, not %s"
                            .formatted(request.getHttpURI().getPath(), handler.method(), request.getMethod()),
                    Map.of(),
                    Map.of("Allow", handler.method()));
        }
    }
}
