package org.fleetgrad.spring;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether {@code fleetgrad.server} is set, as a text with commas or as a list. */
final class OnServerCondition extends SpringBootCondition {

    private static final String SERVER = "fleetgrad.server";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        List<String> servers = Binder.get(context.getEnvironment())
                .bind(SERVER, Bindable.listOf(String.class))
                .orElse(List.of());
        ConditionMessage.Builder message = ConditionMessage.forCondition("Fleetgrad");
        return servers.isEmpty()
                ? ConditionOutcome.noMatch(message.didNotFind("property").items(SERVER))
                : ConditionOutcome.match(message.found("property").items(SERVER));
    }
}
