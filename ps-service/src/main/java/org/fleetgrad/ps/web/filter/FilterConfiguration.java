package org.fleetgrad.ps.web.filter;

import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.web.WebConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Registers the filters of every route that is not hot, in the order of their definition here. */
@Configuration
class FilterConfiguration {

    @Bean
    FilterRegistrationBean<RecoveryFilter> recovery(Training training, JsonMapper json) {
        return WebConfiguration.filter(new RecoveryFilter(training, json), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    FilterRegistrationBean<LeaseRenewalFilter> leaseRenewal(Leases leases, JsonMapper json) {
        return WebConfiguration.filter(new LeaseRenewalFilter(leases, json), Ordered.LOWEST_PRECEDENCE);
    }
}
