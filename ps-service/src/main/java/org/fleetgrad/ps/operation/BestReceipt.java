package org.fleetgrad.ps.operation;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.durability.KeptBest;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.ValueCount;

/**
 * Takes the parameters of the best evaluated version from whoever evaluated it. With several servers the lead takes the complete
 * set: its evaluator has joined it of the partitions, and no server has those versions any more. Thread-safe.
 */
public record BestReceipt(KeptBest best, PublishedParameters published, MemoryBudget budget) {

    /** Returns whether the parameters of an evaluated version are wanted, and fit in memory beside the training. */
    public boolean wants(HeldOutResult evaluation) {
        return whole().filter(this::hasRoom).isPresent() && best.wants(evaluation);
    }

    private boolean hasRoom(TensorLayout whole) {
        long all = published.layout().map(TensorLayout::elementCount).orElse(0L);
        long trainable = published.trainable().map(TensorLayout::elementCount).orElse(0L);
        return budget.hasRoomFor(whole.elementCount() * DType.F32.bytes(), new ValueCount(all, trainable));
    }

    /** Returns how a layout differs from that of the run's complete parameter set. */
    public Optional<LayoutDifference> difference(TensorLayout given) {
        return whole().flatMap(whole -> whole.firstDifference(given));
    }

    private Optional<TensorLayout> whole() {
        Map<String, String> metadata = published.metadata();
        return PartitionLabel.isIn(metadata)
                ? Optional.of(PartitionLabel.of(metadata).whole())
                : published.layout();
    }

    /**
     * Keeps the parameters of a version, unless a better one came meanwhile; returns whether it did. Their metadata are those of the
     * run, whatever the sender says.
     *
     * @throws IOException if they could not be written
     */
    public boolean keep(ParameterVersion version, TensorSet parameters) throws IOException {
        Map<String, String> metadata = PartitionLabel.without(published.metadata());
        metadata.put("format", "pt");
        metadata.put(ParameterVersion.GENERATION_KEY, version.generation());
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        return best.keep(version, new TensorSet(parameters.layout(), parameters.data(), metadata));
    }
}
