package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.inference.SecuredInference;
import org.fleetgrad.inference.grpc.GrpcServer;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ServerLiveRequest;
import org.fleetgrad.openinference.ServerMetadataRequest;
import org.fleetgrad.openinference.ServerReadyRequest;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port of gRPC asks for the tokens that the routes ask for, and speaks the TLS that they speak. */
class GrpcTokenTest {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> CHALLENGE =
            Metadata.Key.of("www-authenticate", Metadata.ASCII_STRING_MARSHALLER);

    @TempDir
    private Path folder;

    private static GRPCInferenceServiceBlockingStub stub(Channel channel, String token) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return GRPCInferenceServiceGrpc.newBlockingStub(
                ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)));
    }

    private static void refused(ThrowingCallable call, Status.Code code, String message) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, failure -> {
            assertThat(failure.getStatus().getDescription()).startsWith(message);
            assertThat(failure.getStatus().getCode()).isEqualTo(code);
        });
    }

    @Test
    void shouldAskForTheTokenOfARole() throws Exception {
        try (SecuredInference service = SecuredInference.start("inference.grpc-port=0")) {
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port(service))
                    .usePlaintext()
                    .build();
            try {
                GRPCInferenceServiceBlockingStub nobody = GRPCInferenceServiceGrpc.newBlockingStub(channel);
                ModelInferRequest request =
                        ModelInferRequest.newBuilder().setModelName("fleetgrad").build();

                assertThat(nobody.serverLive(ServerLiveRequest.getDefaultInstance())
                                .getLive())
                        .isTrue();
                assertThat(nobody.serverReady(ServerReadyRequest.getDefaultInstance())
                                .getReady())
                        .isFalse();
                refused(() -> nobody.modelInfer(request), Status.Code.UNAUTHENTICATED, "the request has no token");
                refused(
                        () -> nobody.serverMetadata(ServerMetadataRequest.getDefaultInstance()),
                        Status.Code.UNAUTHENTICATED,
                        "the request has no token");
                refused(
                        () -> stub(channel, "wrong").modelInfer(request),
                        Status.Code.UNAUTHENTICATED,
                        "the token is invalid");
                assertThatThrownBy(() -> stub(channel, "wrong").modelInfer(request))
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                failure -> assertThat(failure.getTrailers().get(CHALLENGE))
                                        .contains("invalid_token"));
                refused(
                        () -> stub(channel, service.token(Role.READER)).modelInfer(request),
                        Status.Code.INVALID_ARGUMENT,
                        "the request has 0 inputs");
                // It gets none here, but a parameter server that signs with the same key issues some.
                String worker = service.context()
                        .getBean(TokenIssuer.class)
                        .tokens()
                        .orElseThrow()
                        .issue(Caller.of(Role.WORKER))
                        .text();
                refused(
                        () -> stub(channel, worker).modelInfer(request),
                        Status.Code.PERMISSION_DENIED,
                        "the role worker may not POST /v2/models/**");
            } finally {
                channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void shouldSpeakTlsAlone() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
        List<String> settings = new ArrayList<>(certificate.settings());
        settings.add("inference.grpc-port=0");
        try (SecuredInference service = SecuredInference.start(settings.toArray(String[]::new))) {
            ManagedChannel secure = NettyChannelBuilder.forAddress("127.0.0.1", port(service))
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(certificate.pem().toFile())
                            .build())
                    .build();
            ManagedChannel plain = NettyChannelBuilder.forAddress("127.0.0.1", port(service))
                    .usePlaintext()
                    .build();
            try {
                assertThat(GRPCInferenceServiceGrpc.newBlockingStub(secure)
                                .serverLive(ServerLiveRequest.getDefaultInstance())
                                .getLive())
                        .isTrue();
                assertThatThrownBy(() -> GRPCInferenceServiceGrpc.newBlockingStub(plain)
                                .serverLive(ServerLiveRequest.getDefaultInstance()))
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                failure -> assertThat(failure.getStatus().getCode())
                                        .isEqualTo(Status.Code.UNAVAILABLE));
            } finally {
                secure.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
                plain.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            }
        }
    }

    private static int port(SecuredInference service) {
        return service.context().getBean(GrpcServer.class).port();
    }
}
