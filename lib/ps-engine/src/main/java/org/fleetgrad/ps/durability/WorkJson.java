package org.fleetgrad.ps.durability;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.work.WorkQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The progress of the work, in a checkpoint. */
final class WorkJson {

    private WorkJson() {}

    static void write(WorkQueue.State state, ObjectNode node) {
        WorkPlan plan = state.plan();
        node.put("dataset", plan.dataset()).put("epochs", plan.epochs());
        ArrayNode shards = node.putArray("shards");
        plan.shards()
                .forEach(shard -> shards.addObject()
                        .put("name", shard.name())
                        .put("url", shard.url())
                        .put("samples", shard.samples()));
        node.put("next", state.next()).put("samples", state.samples());
        ObjectNode open = node.putObject("open");
        state.open().forEach((piece, samples) -> open.put(Long.toString(piece), samples));
        ObjectNode holders = node.putObject("holders");
        new TreeMap<>(state.holders()).forEach(holders::put);
    }

    /** Reads the progress; throws a {@link RuntimeException} if it is invalid. */
    static WorkQueue.State read(JsonNode node) {
        List<PlannedShard> shards = new ArrayList<>();
        node.required("shards")
                .forEach(shard -> shards.add(new PlannedShard(
                        shard.required("name").asString(),
                        shard.required("url").asString(),
                        shard.required("samples").asLong())));
        NavigableMap<Long, Long> open = new TreeMap<>();
        node.required("open")
                .properties()
                .forEach(piece ->
                        open.put(Long.valueOf(piece.getKey()), piece.getValue().asLong()));
        Map<String, Long> holders = new HashMap<>();
        node.required("holders")
                .properties()
                .forEach(
                        holder -> holders.put(holder.getKey(), holder.getValue().asLong()));
        return new WorkQueue.State(
                new WorkPlan(
                        node.required("dataset").asString(),
                        node.required("epochs").asLong(),
                        shards),
                node.required("next").asLong(),
                node.required("samples").asLong(),
                open,
                holders);
    }
}
