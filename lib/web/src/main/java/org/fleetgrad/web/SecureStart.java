package org.fleetgrad.web;

import java.net.InetAddress;
import java.time.Clock;
import org.fleetgrad.access.StartRule;
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
    private final StartRule rule;

    SecureStart(Environment environment, StartRule rule) {
        this.environment = environment;
        this.rule = rule;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (GeneratedBeans.areGenerated()) {
            return;
        }
        // There are no beans yet to read the settings from.
        Binder binder = Binder.get(environment);
        SecurityProperties access = SecurityProperties.read(binder, rule.prefix());
        Ssl ssl = binder.bind("server.ssl", Ssl.class).orElse(null);
        InetAddress address = binder.bind("server.address", InetAddress.class).orElse(null);
        try {
            boolean hasKeys =
                    access.issuer(rule.prefix(), Clock.systemUTC()).tokens().isPresent();
            StartRule.Exposure exposure = new StartRule.Exposure(hasKeys, isLoopback(address), Ssl.isEnabled(ssl));
            rule.refusal(exposure).ifPresent(reason -> {
                throw new IllegalArgumentException(reason);
            });
            requireGuardedActuator(binder, address);
            rule.warning(exposure).ifPresent(LOG::warn);
        } catch (IllegalArgumentException refused) {
            // Without the cause, which might quote a key file.
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
