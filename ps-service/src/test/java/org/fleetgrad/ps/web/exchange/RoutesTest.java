package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The routes of the service and the operations of {@code openapi.yaml} are exactly the same. */
class RoutesTest {

    /** What actuator has besides the documented paths: its index, and groups of health by name. */
    private static final Set<String> ACTUATORS_OWN =
            Set.of("GET /actuator", "GET /actuator/info", "GET /actuator/health/**");

    /** The groups that the pattern of actuator stands for. */
    private static final Set<String> HEALTH_GROUPS =
            Set.of("GET /actuator/health/liveness", "GET /actuator/health/readiness");

    @Test
    void shouldServeExactlyTheDocumentedOperations() {
        try (RunningService service = RunningService.start()) {
            ApplicationContext context = service.context();
            Set<String> served = new TreeSet<>(HEALTH_GROUPS);
            context.getBeansOfType(RequestMappingInfoHandlerMapping.class).values().stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                    .forEach(route -> add(served, route));
            context.getBeansOfType(ExchangeHandler.class)
                    .forEach((name, route) -> served.add(route.method() + " " + route.path()));

            assertThat(served).containsAll(ACTUATORS_OWN);
            served.removeAll(ACTUATORS_OWN);
            assertThat(served).isEqualTo(OpenApiContract.load().operations("ps-service"));
        }
    }

    /** Spring Boot's error route has no method, and so adds nothing. */
    private static void add(Set<String> served, RequestMappingInfo route) {
        for (String path : route.getPatternValues()) {
            route.getMethodsCondition().getMethods().forEach(method -> served.add(method + " " + path));
        }
    }
}
