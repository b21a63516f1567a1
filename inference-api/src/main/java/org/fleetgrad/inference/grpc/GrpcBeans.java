package org.fleetgrad.inference.grpc;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import org.fleetgrad.access.Guard;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.inference.infer.OpenInference;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The bean that exists only with {@code inference.grpc-port}. The start decides that, as of {@code EvaluatingBeans}, and without it no
 * class of gRPC is loaded (ADR 57).
 */
public final class GrpcBeans implements BeanRegistrar {

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        if (StringUtils.hasText(environment.getProperty("inference.grpc-port"))) {
            registry.registerBean(GrpcServer.class, bean -> bean.supplier(beans -> server(beans, environment)));
        }
    }

    private static GrpcServer server(BeanRegistry.SupplierContext beans, Environment environment) {
        InferenceProperties properties = beans.bean(InferenceProperties.class);
        GrpcLimits limits = GrpcLimits.of(
                Math.toIntExact(properties.maxImageBytes().toBytes()),
                Runtime.getRuntime().maxMemory());
        GrpcCalls calls = new GrpcCalls(limits, beans.bean(BodyMemory.class), System::nanoTime);
        Connections connections = new Connections(limits.connections());
        Answering answering =
                new Answering(beans.bean(Guard.class), calls, connections::close, beans.bean(MeterRegistry.class));
        // As the other port: the rule of a secure start has judged this address and these settings.
        Binder binder = Binder.get(environment);
        InetAddress address = binder.bind("server.address", InetAddress.class).orElse(null);
        Ssl ssl = binder.bind("server.ssl", Ssl.class).orElse(null);
        return new GrpcServer(
                new GrpcServer.Port(address, properties.grpcPort() == null ? 0 : properties.grpcPort()),
                Ssl.isEnabled(ssl) ? TlsOfServer.context(ssl, beans.bean(SslBundles.class)) : null,
                connections,
                calls,
                InferenceMethods.service(beans.bean(OpenInference.class), answering));
    }
}
