package org.fleetgrad.inference.grpc;

import io.grpc.ServerServiceDefinition;
import java.util.List;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.grpc.Answering.Route;
import org.fleetgrad.inference.infer.InferRequest;
import org.fleetgrad.inference.infer.OpenInference;
import org.fleetgrad.inference.infer.OpenInference.IndexEntry;
import org.fleetgrad.inference.infer.OpenInference.ModelMetadata;
import org.fleetgrad.inference.infer.TensorDescription;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferResponse;
import org.fleetgrad.openinference.ModelMetadataRequest;
import org.fleetgrad.openinference.ModelMetadataResponse;
import org.fleetgrad.openinference.ModelMetadataResponse.TensorMetadata;
import org.fleetgrad.openinference.ModelReadyRequest;
import org.fleetgrad.openinference.ModelReadyResponse;
import org.fleetgrad.openinference.ModelStatisticsRequest;
import org.fleetgrad.openinference.ModelStatisticsResponse;
import org.fleetgrad.openinference.RepositoryIndexRequest;
import org.fleetgrad.openinference.RepositoryIndexResponse;
import org.fleetgrad.openinference.RepositoryIndexResponse.ModelIndex;
import org.fleetgrad.openinference.ServerLiveResponse;
import org.fleetgrad.openinference.ServerMetadataRequest;
import org.fleetgrad.openinference.ServerMetadataResponse;
import org.fleetgrad.openinference.ServerReadyResponse;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/** The methods of {@code inference.GRPCInferenceService}, with the answers that the routes below {@code /v2} give. */
final class InferenceMethods {

    private static final Route METADATA = new Route("GET", "/v2");
    private static final Route MODELS = new Route("GET", "/v2/models/stats");
    private static final Route INFER = new Route("POST", "/v2/models/infer");
    private static final Route INDEX = new Route("POST", "/v2/repository/index");

    private InferenceMethods() {}

    static ServerServiceDefinition service(OpenInference inference, Answering answering) {
        return ServerServiceDefinition.builder(GRPCInferenceServiceGrpc.SERVICE_NAME)
                .addMethod(answering.open(
                        GRPCInferenceServiceGrpc.getServerLiveMethod(),
                        new Route("GET", "/v2/health/live"),
                        () -> ServerLiveResponse.newBuilder().setLive(true).build()))
                .addMethod(answering.open(
                        GRPCInferenceServiceGrpc.getServerReadyMethod(),
                        new Route("GET", "/v2/health/ready"),
                        () -> ServerReadyResponse.newBuilder()
                                .setReady(inference.isReady())
                                .build()))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getModelReadyMethod(),
                        MODELS,
                        ModelReadyRequest.parser(),
                        request -> ready(inference, request)))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getServerMetadataMethod(),
                        METADATA,
                        ServerMetadataRequest.parser(),
                        request -> ServerMetadataResponse.newBuilder()
                                .setName(OpenInference.SERVER)
                                .setVersion(OpenInference.VERSION)
                                .addExtensions("statistics")
                                .build()))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getModelMetadataMethod(),
                        MODELS,
                        ModelMetadataRequest.parser(),
                        request -> metadata(inference.metadata(request.getName(), stated(request.getVersion())))))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getModelInferMethod(),
                        INFER,
                        ModelInferRequest.parser(),
                        RequestSize::of,
                        request -> infer(inference, request)))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getModelStatisticsMethod(),
                        MODELS,
                        ModelStatisticsRequest.parser(),
                        request -> statistics(inference, request)))
                .addMethod(answering.method(
                        GRPCInferenceServiceGrpc.getRepositoryIndexMethod(),
                        INDEX,
                        RepositoryIndexRequest.parser(),
                        request -> index(inference.index(request.getReady()))))
                .build();
    }

    /** An empty text is proto3's for none. */
    private static @Nullable String stated(String version) {
        return version.isEmpty() ? null : version;
    }

    /** The question is yes or no, so a version that is not held is no error. */
    private static ModelReadyResponse ready(OpenInference inference, ModelReadyRequest request) {
        boolean isReady = true;
        try {
            inference.requireReady(request.getName(), stated(request.getVersion()));
        } catch (RequestRefused refused) {
            if (refused.kind() == ProblemKind.INVALID_PARAMETER) {
                throw refused;
            }
            isReady = false;
        }
        return ModelReadyResponse.newBuilder().setReady(isReady).build();
    }

    private static ModelInferResponse infer(OpenInference inference, ModelInferRequest request) {
        WantedVersion wanted = inference.wanted(request.getModelName(), stated(request.getModelVersion()));
        InferRequest read = TensorMessages.read(request);
        return TensorMessages.write(read, inference.infer(wanted, read));
    }

    private static ModelMetadataResponse metadata(ModelMetadata model) {
        return ModelMetadataResponse.newBuilder()
                .setName(model.name())
                .addAllVersions(model.versions())
                .setPlatform(model.platform())
                .addAllInputs(tensors(model.inputs()))
                .addAllOutputs(tensors(model.outputs()))
                .build();
    }

    private static List<TensorMetadata> tensors(List<TensorDescription> tensors) {
        return tensors.stream()
                .map(tensor -> TensorMetadata.newBuilder()
                        .setName(tensor.name())
                        .setDatatype(tensor.datatype())
                        .addAllShape(tensor.shape())
                        .build())
                .toList();
    }

    private static ModelStatisticsResponse statistics(OpenInference inference, ModelStatisticsRequest request) {
        return StatisticsMessages.of(
                request.getName().isEmpty()
                        ? inference.statistics()
                        : inference.statistics(request.getName(), stated(request.getVersion())));
    }

    private static RepositoryIndexResponse index(List<IndexEntry> entries) {
        RepositoryIndexResponse.Builder response = RepositoryIndexResponse.newBuilder();
        for (IndexEntry entry : entries) {
            ModelIndex.Builder model = response.addModelsBuilder()
                    .setName(entry.name())
                    .setState(entry.state())
                    .setReason(entry.reason());
            if (entry.version() != null) {
                model.setVersion(entry.version());
            }
        }
        return response.build();
    }
}
