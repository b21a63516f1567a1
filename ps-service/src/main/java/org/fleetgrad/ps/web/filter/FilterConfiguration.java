package org.fleetgrad.ps.web.filter;

import jakarta.servlet.Filter;
import org.fleetgrad.access.Guard;
import org.fleetgrad.http.body.UnreadBodyFilter;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.ProblemResponse;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.web.AuthorizationFilter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Registers the filters of every route that is not hot, in the order of their definition here. */
@Configuration
class FilterConfiguration {

    /** After the filter that counts requests, before anything that reads a body. */
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 10;

    @Bean
    FilterRegistrationBean<UnreadBodyFilter> unreadBody() {
        return filter(new UnreadBodyFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    @Bean
    FilterRegistrationBean<RecoveryFilter> recovery(Training training, JsonMapper json) {
        return filter(new RecoveryFilter(training, json), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    FilterRegistrationBean<AuthorizationFilter> authorization(Guard guard, JsonMapper json) {
        return filter(
                new AuthorizationFilter(
                        guard,
                        (request, response, refused) ->
                                ProblemResponse.write(response, json, RequestRefused.of(refused))),
                EARLY);
    }

    @Bean
    FilterRegistrationBean<LeaseRenewalFilter> leaseRenewal(Leases leases, JsonMapper json) {
        return filter(new LeaseRenewalFilter(leases, json), Ordered.LOWEST_PRECEDENCE);
    }

    /** Registers a filter for asynchronous responses too. */
    private static <F extends Filter> FilterRegistrationBean<F> filter(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setAsyncSupported(true);
        registration.setOrder(order);
        return registration;
    }
}
