package org.fleetgrad.ps.web.control;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackRequest;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest;
import org.fleetgrad.protocol.messages.WorkMessages.CompleteShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerRequest;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.security.Callers;
import org.fleetgrad.ps.web.security.TokenHoldersInProcess;
import tools.jackson.databind.json.JsonMapper;

/**
 * The routes of Spring MVC that workers and commands use, as calls of their controllers. It assumes of Spring and the filters: a request
 * renews the lease of its sender, a run that is being recovered refuses it, the body is read strictly, and a refusal is a problem.
 */
public final class ControlRoutesInProcess {

    private static final HttpServletRequest ANYBODY = (HttpServletRequest) Proxy.newProxyInstance(
            HttpServletRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, asked, arguments) -> {
                if (asked.getName().equals("getAttribute")) {
                    return Caller.ANONYMOUS;
                }
                throw new UnsupportedOperationException(asked.getName());
            });

    private final Training training;
    private final Leases leases;
    private final JsonMapper json;
    private final WorkerController workers;
    private final WorkController work;
    private final StagedController staged;
    private final ServerStatusController status;
    private final HistoryController history;
    private final RollbackController rollback;

    public ControlRoutesInProcess(
            PsProperties properties,
            Training training,
            PublishedParameters published,
            Leases leases,
            RunHistory course,
            TokenIssuer issuer,
            Clock clock,
            JsonMapper json) {
        RunEvents events = new RunEvents();
        this.training = training;
        this.leases = leases;
        this.json = json;
        this.workers = new WorkerController(
                leases, training, published, events, clock, issuer, TokenHoldersInProcess.of(issuer, leases));
        this.work = new WorkController(training, published, events, properties);
        this.staged = new StagedController(training, leases);
        this.status = new ServerStatusController(training, published, new Evaluations(), leases, properties, clock);
        this.history = new HistoryController(course, training, clock);
        this.rollback = new RollbackController(training, published, course, clock);
    }

    /**
     * Answers a request.
     *
     * @param path   without its query
     * @param worker the query's worker, if it has one
     * @param sender the header that names the sending worker
     */
    public Response handle(String method, String path, Optional<String> worker, Optional<String> sender, byte[] body) {
        try {
            if (!training.isRecovered()) {
                throw OutcomeProblems.recovering();
            }
            Callers.renewLease(Optional.of(Caller.ANONYMOUS), sender.orElse(null), leases);
            return response(200, Map.of(), answer(method + " " + path, worker, body));
        } catch (RequestRefused refused) {
            return response(refused.kind().status(), refused.headers(), refused.body(path));
        }
    }

    private Object answer(String operation, Optional<String> worker, byte[] body) {
        return switch (operation) {
            case "POST " + Routes.REGISTER_WORKER -> workers.register(read(body, RegisterWorkerRequest.class));
            case "POST " + Routes.UNREGISTER_WORKER ->
                workers.unregister(read(body, UnregisterWorkerRequest.class), ANYBODY);
            case "POST " + Routes.PASS_STEP -> workers.pass(read(body, PassStepRequest.class), ANYBODY);
            case "PUT " + Routes.PUT_WORK -> work.put(read(body, PutWorkRequest.class));
            case "POST " + Routes.ADD_WORK -> work.add(read(body, AddWorkRequest.class));
            case "POST " + Routes.NEXT_SHARD -> work.next(read(body, NextShardRequest.class), ANYBODY);
            case "POST " + Routes.COMPLETE_SHARD -> work.complete(read(body, CompleteShardRequest.class), ANYBODY);
            case "GET " + Routes.STAGED_GRADIENTS -> staged.staged(worker);
            case "GET " + Routes.STATUS -> status.status();
            case "GET " + Routes.HISTORY -> history.history(-1);
            case "POST " + Routes.ROLLBACK -> rollback.rollBack(read(body, RollbackRequest.class));
            default -> throw new UnsupportedOperationException(operation);
        };
    }

    private <T> T read(byte[] body, Class<T> type) {
        return json.readValue(body, type);
    }

    private Response response(int code, Map<String, String> headers, Object body) {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.putAll(headers);
        fields.put("Content-Type", code == 200 ? "application/json" : "application/problem+json");
        return new Response(
                code, fields, ByteBuffer.wrap(json.writeValueAsString(body).getBytes(StandardCharsets.UTF_8)));
    }
}
