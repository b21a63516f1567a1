package org.fleetgrad.web;

import jakarta.servlet.Filter;
import java.time.Clock;
import java.time.Duration;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.StartRule;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.http.body.JettyErrorHandler;
import org.fleetgrad.http.body.SlowHeads;
import org.fleetgrad.http.body.UnreadBodyFilter;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * What both services have before their routes: keys and tokens, refused bodies that are drained, and problems for requests that
 * violate the contract. A service imports it and has a {@link AccessRules}.
 */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

    /** After the filter that counts requests, before anything that reads a body. */
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 10;

    /** A head of 8 KiB, the most that Jetty takes, at 3 kbit/s. */
    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(30);

    /**
     * What a service has of its own, as a static bean.
     *
     * @param startRule decides whether it may start, and has the prefix of its settings
     * @param routes    its permissions
     */
    public record AccessRules(StartRule startRule, RouteTable routes) {}

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return StrictJson::apply;
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> jettyServer() {
        return factory -> factory.addServerCustomizers(server -> {
            server.setErrorHandler(new JettyErrorHandler());
            server.addBean(new SlowHeads(server, HEAD_TIMEOUT));
        });
    }

    @Bean
    static SecureStart secureStart(Environment environment, AccessRules rules) {
        return new SecureStart(environment, rules.startRule());
    }

    @Bean
    SecurityProperties securityProperties(Environment environment, AccessRules rules) {
        return SecurityProperties.read(
                Binder.get(environment), rules.startRule().prefix());
    }

    @Bean
    TokenIssuer tokenIssuer(SecurityProperties settings, AccessRules rules, Clock clock) {
        return settings.issuer(rules.startRule().prefix(), clock);
    }

    @Bean
    Rates rates(SecurityProperties settings, AccessRules rules) {
        return settings.rates(rules.startRule().prefix(), System::nanoTime);
    }

    @Bean
    Guard guard(AccessRules rules, TokenIssuer issuer, Rates rates) {
        return new Guard(rules.routes(), issuer.tokens(), rates);
    }

    @Bean
    FilterRegistrationBean<UnreadBodyFilter> unreadBody() {
        return filter(new UnreadBodyFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    @Bean
    FilterRegistrationBean<AuthorizationFilter> authorization(Guard guard, JsonMapper json) {
        return filter(new AuthorizationFilter(guard, json), EARLY);
    }

    /** Registers a filter for asynchronous responses too. */
    public static <F extends Filter> FilterRegistrationBean<F> filter(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setAsyncSupported(true);
        registration.setOrder(order);
        return registration;
    }
}
