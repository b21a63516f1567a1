package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.CompleteShardReply;
import org.fleetgrad.protocol.messages.CompleteShardRequest;
import org.fleetgrad.protocol.messages.NextShardReply;
import org.fleetgrad.protocol.messages.NextShardRequest;
import org.fleetgrad.protocol.messages.PutWorkReply;
import org.fleetgrad.protocol.messages.PutWorkRequest;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.training.ShardOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.WorkOutcome;
import org.fleetgrad.ps.work.Assignment;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code PUT /putWork}, {@code POST /nextShard} and {@code POST /completeShard}. */
@RestController
class WorkController {

    private static final Map<String, String> RETRY = Map.of("Retry-After", "1");

    private final Training training;
    private final RunEvents events;

    WorkController(Training training, RunEvents events) {
        this.training = training;
        this.events = events;
    }

    @PutMapping(Routes.PUT_WORK)
    PutWorkReply put(@RequestBody PutWorkRequest request) {
        WorkPlan plan = plan(request);
        WorkOutcome outcome = await(training.applier().putWork(plan), new WorkOutcome.Busy("the server is stopping"));
        if (outcome instanceof WorkOutcome.Accepted accepted) {
            if (accepted.isNew()) {
                events.publish(
                        "work",
                        Map.of(
                                "dataset", plan.dataset(),
                                "epochs", plan.epochs(),
                                "shards", plan.shards().size()));
            }
            return new PutWorkReply(200, accepted.isNew(), plan.shards().size(), plan.samplesPerEpoch());
        }
        if (outcome instanceof WorkOutcome.Exists exists) {
            throw new RequestRefused(ProblemKind.WORK_EXISTS, exists.detail());
        }
        if (outcome instanceof WorkOutcome.NotDurable unwritable) {
            throw new RequestRefused(ProblemKind.NOT_DURABLE, unwritable.detail(), Map.of(), RETRY);
        }
        throw new RequestRefused(ProblemKind.BUSY, ((WorkOutcome.Busy) outcome).detail(), Map.of(), RETRY);
    }

    private static WorkPlan plan(PutWorkRequest request) {
        try {
            List<PlannedShard> shards = required("shards", request.shards()).stream()
                    .map(shard -> new PlannedShard(
                            required("a shard's 'name'", shard.name()),
                            required("a shard's 'url'", shard.url()),
                            required("a shard's 'samples'", shard.samples())))
                    .toList();
            return new WorkPlan(
                    required("dataset", request.dataset()),
                    Optional.ofNullable(request.epochs()).orElse(0L),
                    shards);
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    @PostMapping(Routes.NEXT_SHARD)
    NextShardReply next(@RequestBody NextShardRequest request, HttpServletRequest http) {
        String worker = worker(request.worker(), http);
        ShardOutcome outcome = await(training.applier().nextShard(worker), stopping());
        if (outcome instanceof ShardOutcome.Leased leased) {
            return leased(leased.assignment());
        }
        if (outcome instanceof ShardOutcome.Refused refused) {
            throw problem(refused);
        }
        String state = outcome instanceof ShardOutcome.Done ? NextShardReply.DONE : NextShardReply.WAIT;
        return new NextShardReply(200, state, null, null, null, null, null, null);
    }

    private static NextShardReply leased(Assignment assignment) {
        return new NextShardReply(
                200,
                NextShardReply.SHARD,
                assignment.cursor().epoch(),
                assignment.cursor().shard(),
                assignment.cursor().sample(),
                assignment.shard().samples(),
                assignment.shard().name(),
                assignment.shard().url());
    }

    @PostMapping(Routes.COMPLETE_SHARD)
    CompleteShardReply complete(@RequestBody CompleteShardRequest request, HttpServletRequest http) {
        String worker = worker(request.worker(), http);
        long epoch = number("epoch", required("epoch", request.epoch()));
        int shard = (int) number("shard", required("shard", request.shard()));
        ShardOutcome outcome = await(training.applier().completeShard(worker, epoch, shard), stopping());
        if (outcome instanceof ShardOutcome.Returned returned) {
            return new CompleteShardReply(200, returned.isComplete(), returned.sample());
        }
        if (outcome instanceof ShardOutcome.Refused refused) {
            throw problem(refused);
        }
        throw new IllegalStateException("no answer for " + outcome);
    }

    private static String worker(@Nullable String given, HttpServletRequest http) {
        String worker = WorkerController.checkedId(required("worker", given));
        Callers.requireMayActAs(http, worker);
        return worker;
    }

    private static <T> T required(String name, @Nullable T value) {
        return Optional.ofNullable(value)
                .orElseThrow(() -> new RequestRefused(ProblemKind.MALFORMED, "the request lacks " + quoted(name)));
    }

    private static String quoted(String name) {
        return name.contains("'") ? name : "'" + name + "'";
    }

    private static long number(String name, Number value) {
        if (value.longValue() < 0) {
            throw new RequestRefused(ProblemKind.MALFORMED, "'%s' is 0 or more; it is %s".formatted(name, value));
        }
        return value.longValue();
    }

    private static ShardOutcome stopping() {
        return new ShardOutcome.Refused(ShardOutcome.Reason.BUSY, "the server is stopping");
    }

    private static <T> T await(CompletableFuture<T> outcome, T whenStopping) {
        try {
            return outcome.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("the applier failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return whenStopping;
        }
    }

    private static RequestRefused problem(ShardOutcome.Refused refused) {
        ProblemKind kind = ProblemKind.valueOf(refused.reason().name());
        return new RequestRefused(kind, refused.detail(), Map.of(), kind.status() == 503 ? RETRY : Map.of());
    }
}
