package org.fleetgrad.ps.web.control;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkReply;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest;
import org.fleetgrad.protocol.messages.WorkMessages.CompleteShardReply;
import org.fleetgrad.protocol.messages.WorkMessages.CompleteShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardReply;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkReply;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkRequest;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.run.AddOutcome;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.fleetgrad.ps.web.security.Callers;
import org.fleetgrad.ps.work.WorkQueue.Assignment;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code PUT /putWork}, {@code POST /addWork}, {@code POST /nextShard} and {@code POST /completeShard}. */
@RestController
record WorkController(Training training, PublishedParameters published, RunEvents events, PsProperties properties) {

    @PutMapping(Routes.PUT_WORK)
    PutWorkReply put(@RequestBody PutWorkRequest request) {
        WorkPlan plan = plan(request);
        requireLead();
        WorkOutcome outcome = OutcomeProblems.awaitOutcome(training.putWork(plan));
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
        throw OutcomeProblems.of((WorkOutcome.Exists) outcome);
    }

    @PostMapping(Routes.ADD_WORK)
    AddWorkReply add(@RequestBody AddWorkRequest request) {
        long number = RequestMembers.notNegative("number", RequestMembers.required("number", request.number()));
        if (number > AddWorkRequest.MAX_NUMBER) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "'number' is from 0 to %d; it is %d".formatted(AddWorkRequest.MAX_NUMBER, number));
        }
        long after = Optional.ofNullable(request.after()).orElse(-1L);
        if (after < -1 || after >= number) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "'after' is from -1 to below 'number', which is %d; it is %d".formatted(number, after));
        }
        PlannedShard shard = shard(request.name(), request.url(), request.samples());
        requireLead();
        AddOutcome outcome =
                OutcomeProblems.awaitOutcome(training.addWork(number, after, shard, properties.addedWorkShare()));
        if (outcome instanceof AddOutcome.Added added) {
            return new AddWorkReply(200, added.isNew());
        }
        throw OutcomeProblems.of((AddOutcome.Refused) outcome);
    }

    private static PlannedShard shard(@Nullable String name, @Nullable String url, @Nullable Long samples) {
        try {
            return new PlannedShard(
                    RequestMembers.required("a shard's 'name'", name),
                    RequestMembers.required("a shard's 'url'", url),
                    RequestMembers.required("a shard's 'samples'", samples));
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    /** Workers request shards from the lead only: work at another server would never be done. */
    private void requireLead() {
        String place = published.metadata().get(PartitionLabel.PARTITION);
        if (place != null && !place.startsWith("0/")) {
            throw new RequestRefused(
                    ProblemKind.NOT_LEAD,
                    "this server has partition %s of the parameters, counted from 0: put the work to the server with partition 0, which is the lead"
                            .formatted(Printable.text(place)));
        }
    }

    private static WorkPlan plan(PutWorkRequest request) {
        try {
            List<PlannedShard> shards = RequestMembers.required("shards", request.shards()).stream()
                    .map(shard -> shard(shard.name(), shard.url(), shard.samples()))
                    .toList();
            return new WorkPlan(
                    RequestMembers.required("dataset", request.dataset()),
                    Optional.ofNullable(request.epochs()).orElse(0L),
                    shards,
                    request.paused());
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    @PostMapping(Routes.NEXT_SHARD)
    NextShardReply next(@RequestBody NextShardRequest request, HttpServletRequest http) {
        String worker = worker(request.worker(), http);
        ShardOutcome outcome = OutcomeProblems.awaitOutcome(training.nextShard(worker));
        if (outcome instanceof ShardOutcome.Leased leased) {
            return leased(leased.assignment());
        }
        if (outcome instanceof ShardOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
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
        long epoch = RequestMembers.epoch(RequestMembers.required("epoch", request.epoch()));
        int shard = (int) RequestMembers.notNegative("shard", RequestMembers.required("shard", request.shard()));
        ShardOutcome outcome = OutcomeProblems.awaitOutcome(training.completeShard(worker, epoch, shard));
        if (outcome instanceof ShardOutcome.Returned returned) {
            return new CompleteShardReply(200, returned.isComplete(), returned.sample());
        }
        if (outcome instanceof ShardOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
        }
        throw new IllegalStateException("no answer for " + outcome);
    }

    private static String worker(@Nullable String given, HttpServletRequest http) {
        String worker = RequestMembers.workerId(RequestMembers.required("worker", given));
        Callers.requireMayActAs(http, worker);
        return worker;
    }
}
