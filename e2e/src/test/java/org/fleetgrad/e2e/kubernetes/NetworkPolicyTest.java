package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Manifest;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A pod can reach another if an argument or variable of it has the other's address, and no pod can reach any other. */
class NetworkPolicyTest {

    private static final Manifests MANIFESTS = Manifests.read();
    private static final Pattern ADDRESS = Pattern.compile("https?://([a-z][a-z0-9-]*):(\\d+)");

    /** A pod in the namespace that is not one of ours. */
    private static final String STRANGER = "a stranger";

    @Test
    void shouldAllowWhatTheProgramsAreToldToCallAndNothingElse() {
        Set<String> allowed = new TreeSet<>();
        for (Pod from : MANIFESTS.pods()) {
            for (Pod to : MANIFESTS.pods()) {
                for (int port : new int[] {29500, 29600, 9000, 9001, 8080}) {
                    if (!from.equals(to) && mayLeave(from, to, port) && mayEnter(from, to, port)) {
                        allowed.add("%s to %s:%d".formatted(from.name(), to.name(), port));
                    }
                }
            }
        }

        assertThat(calls()).isNotEmpty();
        assertThat(allowed).isEqualTo(calls());
    }

    /**
     * Returns the calls named in arguments and variables. The worker gets addresses in the store from the parameter
     * server.
     */
    private static Set<String> calls() {
        Set<String> calls = new TreeSet<>(Set.of("worker to store:9000"));
        for (Pod pod : MANIFESTS.pods()) {
            for (JsonNode container : pod.containers()) {
                Stream.concat(
                                container.path("args").valueStream(),
                                container.path("env").valueStream().map(variable -> variable.path("value")))
                        .map(text -> ADDRESS.matcher(text.asString("")))
                        .filter(Matcher::find)
                        .forEach(found ->
                                calls.add("%s to %s:%s".formatted(pod.name(), found.group(1), found.group(2))));
            }
        }
        return calls;
    }

    @Test
    void shouldCallServicesThatExist() {
        for (String call : calls()) {
            String[] target = call.substring(call.indexOf(" to ") + 4).split(":");
            Manifest service = MANIFESTS.find("Service", target[0]).orElseThrow();
            assertThat(service.root()
                            .path("spec")
                            .path("ports")
                            .valueStream()
                            .map(port -> port.path("port").asString()))
                    .as(call)
                    .contains(target[1]);
        }
    }

    @Test
    void shouldLetStrangersReachPredictionsOnly() {
        for (Pod pod : MANIFESTS.pods()) {
            boolean isOpen = policies(pod, "Ingress")
                    .flatMap(policy -> policy.path("ingress").valueStream())
                    .anyMatch(rule -> rule.path("from").isMissingNode()
                            || rule.path("from")
                                    .valueStream()
                                    .anyMatch(peer -> peer.path("podSelector").isEmpty()
                                            || peer.has("ipBlock")
                                            || peer.has("namespaceSelector")));
            assertThat(isOpen)
                    .as("%s to %s", STRANGER, pod)
                    .isEqualTo(pod.name().equals("inference-api"));
        }
    }

    @Test
    void shouldLetEveryPodFindNamesAndNothingElseOutside() {
        for (Pod pod : MANIFESTS.pods()) {
            assertThat(policies(pod, "Egress")
                            .flatMap(policy -> policy.path("egress").valueStream())
                            .filter(rule -> rule.path("to")
                                    .valueStream()
                                    .anyMatch(peer -> peer.has("namespaceSelector") || peer.has("ipBlock")))
                            .flatMap(rule -> rule.path("ports").valueStream())
                            .map(port -> port.path("protocol").asString()
                                    + port.path("port").asInt()))
                    .as(pod.toString())
                    .containsExactlyInAnyOrder("UDP53", "TCP53");
        }
    }

    @Test
    void shouldSelectPodsThatExist() {
        for (Manifest policy : MANIFESTS.of("NetworkPolicy")) {
            assertThat(MANIFESTS.selected(
                            policy.root().path("spec").path("podSelector").path("matchLabels")))
                    .as(policy.toString())
                    .isNotEmpty();
        }
    }

    private static boolean mayLeave(Pod from, Pod to, int port) {
        assertThat(policies(from, "Egress"))
                .as("without a policy everything is allowed")
                .isNotEmpty();
        return policies(from, "Egress")
                .flatMap(policy -> policy.path("egress").valueStream())
                .anyMatch(rule -> allows(rule, "to", to, port));
    }

    private static boolean mayEnter(Pod from, Pod to, int port) {
        assertThat(policies(to, "Ingress"))
                .as("without a policy everything is allowed")
                .isNotEmpty();
        return policies(to, "Ingress")
                .flatMap(policy -> policy.path("ingress").valueStream())
                .anyMatch(rule -> allows(rule, "from", from, port));
    }

    private static Stream<JsonNode> policies(Pod pod, String type) {
        return MANIFESTS.of("NetworkPolicy").stream()
                .map(policy -> policy.root().path("spec"))
                .filter(spec -> pod.isSelectedBy(spec.path("podSelector").path("matchLabels")))
                .filter(spec -> spec.path("policyTypes")
                        .valueStream()
                        .anyMatch(stated -> stated.asString().equals(type)));
    }

    private static boolean allows(JsonNode rule, String word, Pod peer, int port) {
        boolean isPeer = rule.path(word)
                .valueStream()
                .filter(stated -> !stated.has("namespaceSelector"))
                .anyMatch(stated -> peer.isSelectedBy(stated.path("podSelector").path("matchLabels")));
        return isPeer
                && rule.path("ports")
                        .valueStream()
                        .anyMatch(stated -> stated.path("port").asInt() == port);
    }
}
