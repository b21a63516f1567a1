package org.fleetgrad.inference.security;

import jakarta.servlet.Filter;
import java.time.Clock;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.StartRule;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.http.body.UnreadBodyFilter;
import org.fleetgrad.web.AuthorizationFilter;
import org.fleetgrad.web.SecureStart;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Creates the filters that check keys and tokens, and puts them before every route. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecurityProperties.class)
class SecurityConfiguration {

    /** After the filter that counts requests, before anything that reads a body. */
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 10;

    @Bean
    static SecureStart secureStart(Environment environment) {
        return new SecureStart(
                environment,
                new StartRule(SecurityProperties.PREFIX, "ask for predictions and change what is served", Role.READER),
                binder -> binder.bindOrCreate(SecurityProperties.PREFIX, SecurityProperties.class)
                        .settings(),
                InsecureStartException::new);
    }

    @Bean
    TokenIssuer tokenIssuer(SecurityProperties properties, Clock clock) {
        return properties.settings().issuer(clock);
    }

    @Bean
    FilterRegistrationBean<UnreadBodyFilter> unreadBody() {
        return filter(new UnreadBodyFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    @Bean
    Guard guard(TokenIssuer issuer, SecurityProperties properties) {
        return new Guard(
                InferenceRoutes.TABLE, issuer.tokens(), properties.settings().rates(System::nanoTime));
    }

    @Bean
    FilterRegistrationBean<AuthorizationFilter> authorization(Guard guard, JsonMapper json) {
        return filter(new AuthorizationFilter(guard, new RefusalAnswer(json)), EARLY);
    }

    /** Registers a filter that also supports asynchronous responses. */
    private static <F extends Filter> FilterRegistrationBean<F> filter(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setAsyncSupported(true);
        registration.setOrder(order);
        return registration;
    }
}
