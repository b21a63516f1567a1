package org.fleetgrad.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Networks.NetworkSummary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code fleetgrad networks}. */
@Command(
        name = "networks",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the networks that --network can name.",
            "The numbers are for each network's usual images and classes. Megabytes are 10^6 bytes."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad train --network resnet20 --data DIR",
            "  fleetgrad train --network \"resnet18?stem=imagenet\" --data DIR"
        })
final class NetworksCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Option(names = "--json", description = "Print the result as JSON: one array")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        List<NetworkSummary> listing = Networks.listing();
        if (json) {
            out.println(json(listing));
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "%-12s %12s %9s %9s  %-12s %7s  %s",
                    "NETWORK",
                    "PARAMETERS",
                    "STATE",
                    "MEGABYTES",
                    "INPUT",
                    "CLASSES",
                    "WHAT IT IS"));
            listing.forEach(network -> out.println(line(network)));
        }
        out.flush();
        return 0;
    }

    private static String line(NetworkSummary network) {
        NetworkSpec spec = network.spec();
        return String.format(
                Locale.ROOT,
                "%-12s %,12d %,9d %9.1f  %-12s %,7d  %s",
                network.name(),
                spec.parameterCount(),
                spec.stateCount(),
                network.megabytes(),
                input(spec),
                spec.classes(),
                network.description());
    }

    private static String input(NetworkSpec spec) {
        return spec.inputShape().stream().map(String::valueOf).collect(Collectors.joining("x"));
    }

    private static String json(List<NetworkSummary> listing) {
        JsonMapper mapper = JsonMapper.builder().build();
        ArrayNode array = mapper.createArrayNode();
        for (NetworkSummary network : listing) {
            ObjectNode node = array.addObject();
            node.put("name", network.name());
            node.put("network", network.spec().name());
            node.put("parameters", network.spec().parameterCount());
            node.put("state", network.spec().stateCount());
            node.put("bytes", network.spec().layout().byteLength());
            node.put("input", input(network.spec()));
            node.put("classes", network.spec().classes());
            node.put("description", network.description());
        }
        return mapper.writeValueAsString(array);
    }
}
