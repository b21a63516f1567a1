package org.fleetgrad.inference.grpc;

import org.fleetgrad.inference.infer.ModelStatistics;
import org.fleetgrad.inference.infer.ModelStatistics.Batches;
import org.fleetgrad.inference.infer.ModelStatistics.Duration;
import org.fleetgrad.inference.infer.ModelStatistics.OfVersion;
import org.fleetgrad.inference.infer.ModelStatistics.Requests;
import org.fleetgrad.openinference.InferBatchStatistics;
import org.fleetgrad.openinference.InferStatistics;
import org.fleetgrad.openinference.ModelStatisticsResponse;
import org.fleetgrad.openinference.StatisticDuration;

/** Writes the statistics of versions. */
final class StatisticsMessages {

    private StatisticsMessages() {}

    static ModelStatisticsResponse of(ModelStatistics statistics) {
        ModelStatisticsResponse.Builder response = ModelStatisticsResponse.newBuilder();
        for (OfVersion version : statistics.versions()) {
            org.fleetgrad.openinference.ModelStatistics.Builder model = response.addModelStatsBuilder()
                    .setName(version.name())
                    .setVersion(version.version())
                    .setLastInference(version.last())
                    .setInferenceCount(version.inferences())
                    .setExecutionCount(version.executions())
                    .setInferenceStats(requests(version.requests()));
            version.batches().forEach(size -> model.addBatchStats(batches(size)));
        }
        return response.build();
    }

    private static InferStatistics requests(Requests requests) {
        return InferStatistics.newBuilder()
                .setSuccess(duration(requests.success()))
                .setFail(duration(requests.fail()))
                .setQueue(duration(requests.queue()))
                .setComputeInput(duration(requests.input()))
                .setComputeInfer(duration(requests.infer()))
                .setComputeOutput(duration(requests.output()))
                .setCacheHit(duration(requests.hit()))
                .setCacheMiss(duration(requests.miss()))
                .build();
    }

    private static InferBatchStatistics batches(Batches batches) {
        return InferBatchStatistics.newBuilder()
                .setBatchSize(batches.size())
                .setComputeInput(duration(batches.input()))
                .setComputeInfer(duration(batches.infer()))
                .setComputeOutput(duration(batches.output()))
                .build();
    }

    private static StatisticDuration duration(Duration duration) {
        return StatisticDuration.newBuilder()
                .setCount(duration.count())
                .setNs(duration.ns())
                .build();
    }
}
