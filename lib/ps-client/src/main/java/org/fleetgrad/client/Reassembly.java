package org.fleetgrad.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/** Joins the partitions from the servers of a run. Thread-safe. */
final class Reassembly {

    private final List<PsClient> servers;
    private final FrozenTensors frozen;
    private volatile @Nullable Known known;

    /** The partitioning of the last set, cached by the text that it was read from. */
    private record Known(String text, Partitioning partitioning) {}

    Reassembly(List<PsClient> servers) {
        this(servers, FrozenTensors.NONE);
    }

    private Reassembly(List<PsClient> servers, FrozenTensors frozen) {
        this.servers = servers;
        this.frozen = frozen;
    }

    /** Returns a reassembly of parts without these tensors. */
    Reassembly omitting(FrozenTensors omitted) {
        return new Reassembly(servers, omitted);
    }

    /** Joins all parts into one set, under the lead's version. */
    Pulled join(List<Pulled> parts) throws IOException {
        List<TensorSet> sets = new ArrayList<>();
        List<ParameterVersion> versions = new ArrayList<>();
        Map<String, String> first = parts.get(0).parameters().metadata();
        for (int i = 0; i < parts.size(); i++) {
            Map<String, String> metadata = parts.get(i).parameters().metadata();
            requirePlace(i, metadata);
            requireSameOrigin(i, metadata, first);
            sets.add(parts.get(i).parameters());
            versions.add(parts.get(i).version());
        }
        try {
            long bytes = parts.stream().mapToLong(Pulled::bytes).sum();
            return new Pulled(versions.get(0), partitioning(first).join(sets), bytes, List.copyOf(versions));
        } catch (IllegalArgumentException unfit) {
            throw new IOException("the servers' partitions do not fit: " + unfit.getMessage(), unfit);
        }
    }

    private Partitioning partitioning(Map<String, String> metadata) {
        String text = metadata.getOrDefault(PartitionLabel.WHOLE, "");
        Known last = known;
        if (last != null && last.text().equals(text)) {
            return last.partitioning();
        }
        Partitioning read = Partitioning.of(PartitionLabel.of(metadata).whole(), servers.size())
                .without(frozen);
        known = new Known(text, read);
        return read;
    }

    private void requirePlace(int index, Map<String, String> metadata) throws IOException {
        String expected = index + "/" + servers.size();
        String place = metadata.getOrDefault(PartitionLabel.PARTITION, "");
        if (!place.equals(expected)) {
            throw new IOException(Printable.text(
                    "%s has %s, where partition %s is expected: write the addresses of all servers of the run, in the order of their partitions"
                            .formatted(
                                    servers.get(index).address(),
                                    place.isEmpty() ? "a whole parameter set" : "partition " + place,
                                    expected)));
        }
    }

    private void requireSameOrigin(int index, Map<String, String> metadata, Map<String, String> first)
            throws IOException {
        String origin = metadata.getOrDefault(PartitionLabel.ORIGIN, "");
        String expected = first.getOrDefault(PartitionLabel.ORIGIN, "");
        if (!origin.equals(expected)) {
            throw new IOException(Printable.text(
                    "%s and %s have partitions of different parameter sets (%s and %s): they are of two runs"
                            .formatted(
                                    servers.get(0).address(), servers.get(index).address(), expected, origin)));
        }
    }
}
