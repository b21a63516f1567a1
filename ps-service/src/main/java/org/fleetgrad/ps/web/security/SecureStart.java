package org.fleetgrad.ps.web.security;

import java.net.InetAddress;
import java.time.Clock;
import org.fleetgrad.ps.StartRefusedException;
import org.fleetgrad.ps.security.StartRule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;

/** Refuses an insecure start before any bean is made, so that the reason is all that is printed. */
final class SecureStart implements BeanFactoryPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(SecureStart.class);

    private final Environment environment;

    SecureStart(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        // There are no beans yet to read the settings from.
        Binder binder = Binder.get(environment);
        SecurityProperties properties = binder.bindOrCreate("ps.security", SecurityProperties.class);
        Ssl ssl = binder.bind("server.ssl", Ssl.class).orElse(null);
        InetAddress address = binder.bind("server.address", InetAddress.class).orElse(null);
        try {
            TokenDesk desk = TokenDesk.of(properties, Clock.systemUTC());
            StartRule.Exposure exposure =
                    new StartRule.Exposure(desk.tokens().isPresent(), isLoopback(address), Ssl.isEnabled(ssl));
            StartRule.refusal(exposure).ifPresent(reason -> {
                throw new IllegalArgumentException(reason);
            });
            requireGuardedActuator(binder, address);
            StartRule.warning(exposure).ifPresent(LOG::warn);
        } catch (IllegalArgumentException refused) {
            throw new StartRefusedException(String.valueOf(refused.getMessage()));
        }
    }

    /** Without an address the server listens on every one. */
    private static boolean isLoopback(@Nullable InetAddress address) {
        return address != null && address.isLoopbackAddress();
    }

    /** On a port of its own, actuator is a second server, and the filters of this one do not guard it. */
    private static void requireGuardedActuator(Binder binder, @Nullable InetAddress server) {
        int port = binder.bind("management.server.port", Integer.class).orElse(-1);
        boolean isApart =
                port >= 0 && port != binder.bind("server.port", Integer.class).orElse(-1);
        InetAddress own =
                binder.bind("management.server.address", InetAddress.class).orElse(server);
        if (isApart && !isLoopback(own)) {
            throw new IllegalArgumentException(
                    "management.server.port %d would serve actuator to other machines without asking for a token; leave it out, or write management.server.address=127.0.0.1"
                            .formatted(port));
        }
    }
}
