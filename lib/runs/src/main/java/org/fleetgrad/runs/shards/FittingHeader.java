package org.fleetgrad.runs.shards;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.partition.Partitioning.Partition;
import org.fleetgrad.protocol.safetensors.ServedHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.StartingPoint;

/**
 * The parameter set of a wide table must fit the format: its header has a tensor for each column with an embedding, the name of the
 * network a number for each, and the metadata all columns and categories. Otherwise the first worker would find out.
 */
public final class FittingHeader {

    private static final String ANY_ORIGIN = "0".repeat(32);
    private static final String ANY_SEED = Long.toString(Long.MIN_VALUE);

    private FittingHeader() {}

    /**
     * Checks the parameter set that a run of these settings would begin with.
     *
     * @throws RunFailedException if it would be refused, or if the network does not fit the dataset; the message has the numbers and
     *     what to leave out
     */
    public static void require(RunSettings settings, Dataset dataset) throws RunFailedException {
        // A file that the run begins with has such a header already.
        boolean isStated = settings.network().network().isPresent()
                || settings.server().startingPoint() instanceof StartingPoint.Seeded;
        if (!(dataset.schema() instanceof TableSchema table) || !isStated) {
            return;
        }
        TableTask task = table.task();
        try {
            NetworkSpec network = Networks.named(settings.network().network().orElse(Networks.defaultFor(task)), task)
                    .spec();
            Map<String, String> metadata = new TreeMap<>(network.metadata());
            metadata.putAll(DatasetDescription.metadata(dataset.name(), table));
            metadata.put(MetadataKeys.SEED, ANY_SEED);
            requireHeaders(network.layout(), metadata, settings.server().servers());
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input("the network does not fit the dataset %s: %s%s"
                    .formatted(dataset.name(), unfit.getMessage(), remedy(task, table)));
        }
    }

    private static void requireHeaders(TensorLayout layout, Map<String, String> metadata, int servers) {
        if (servers == 1) {
            ServedHeader.require(layout, metadata);
            return;
        }
        for (Partition part : Partitioning.of(layout, servers).partitions()) {
            Map<String, String> all = new TreeMap<>(metadata);
            all.putAll(new PartitionLabel(part.index(), servers, ANY_ORIGIN, layout).toMap());
            ServedHeader.require(part.layout(), all);
        }
    }

    private static String remedy(TableTask task, TableSchema table) {
        return task.categories().isEmpty()
                ? ""
                : ". %,d of %,d columns are categories that have an embedding each; --drop leaves columns out, and --column NAME:number makes a number of one"
                        .formatted(task.categories().size(), table.columns().size());
    }
}
