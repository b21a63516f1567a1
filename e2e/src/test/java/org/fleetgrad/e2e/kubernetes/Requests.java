package org.fleetgrad.e2e.kubernetes;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import tools.jackson.databind.JsonNode;

/**
 * What all pods ask for, while all of them run.
 *
 * @param milliCpus thousandths of a processor
 * @param mebibytes of memory
 */
record Requests(int milliCpus, int mebibytes) {

    static Requests of(Manifests manifests) {
        int milliCpus = 0;
        int mebibytes = 0;
        for (Pod pod : manifests.pods()) {
            JsonNode spec = pod.owner().root().path("spec");
            int pods = Stream.of("replicas", "parallelism")
                    .filter(spec::has)
                    .mapToInt(name -> spec.path(name).asInt())
                    .findFirst()
                    .orElse(1);
            // Init containers run before the others, one at a time.
            List<JsonNode> asked = pod.containers().stream()
                    .map(container -> container.path("resources").path("requests"))
                    .toList();
            milliCpus += pods * most(asked, "cpu");
            mebibytes += pods * most(asked, "memory");
        }
        return new Requests(milliCpus, mebibytes);
    }

    private static int most(List<JsonNode> asked, String resource) {
        return asked.stream()
                .map(requests -> requests.path(resource).asString())
                .map(Requests::number)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Reads {@code 500m} of a processor, or {@code 512Mi}. */
    private static int number(String quantity) {
        return Integer.parseInt(quantity.replaceFirst("(m|Mi)$", ""));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f processors | %.2f GiB", milliCpus / 1000.0, mebibytes / 1024.0);
    }
}
