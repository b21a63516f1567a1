package org.fleetgrad.libtorch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/**
 * A process of its own, whose allocator gives large arrays back to the system at once: memory that other tests freed and the
 * allocator retained would hide the allocations here. Prints resident bytes, one line per step.
 */
final class StageMemoryProbe {

    static final int SAMPLES = 256;
    static final int MICRO_BATCHES = 6;
    static final int SLOTS = 12;

    private static final int WARM_UP = 20;
    private static final int MEASURED = 50;

    private StageMemoryProbe() {}

    /** All blocks but the last, which would end in the loss. */
    static BlockRange range(String network) {
        BlockRange whole = BlockRange.whole(Networks.usual(network));
        return BlockRange.of(whole.network(), 0, whole.to() - 1);
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("parts")) {
            measureParts(range(arguments[1]));
        } else {
            train(Networks.usual(arguments[1]));
        }
    }

    /** Kept, dropped and recomputed, and closed without a backward pass; with a slot each time. */
    private static void train(NetworkDefinition network) throws IOException {
        TestBatch batch = TestBatch.random(network.spec(), 8, 1);
        try (StageChain chain = new StageChain(network, 2, 3, 0)) {
            NativeMemoryTest.touchHeap();
            for (int i = 0; i < WARM_UP + MEASURED; i++) {
                if (i == WARM_UP) {
                    say();
                }
                chain.backward(chain.forward(batch, i, i, Graph.RETAINED));
                chain.backward(chain.recompute(chain.forward(batch, i, i, Graph.DISCARDED)));
                chain.forward(batch, i, i, Graph.RETAINED).activations().forEach(StageActivation::close);
                chain.stage(0)
                        .allocate(new float[chain.stage(0).parameterCount()])
                        .close();
            }
            say();
        }
    }

    private static void measureParts(BlockRange range) throws IOException {
        TestBatch batch = TestBatch.random(range.network().spec(), SAMPLES, 1);
        Frame images = StageChain.images(range, batch, 0);
        MicroBatch microBatch = new MicroBatch(0, 0, batch.labels());
        float[] values = range.initialParameters(1);
        StageNetwork stage = Libtorch.stage(range, 0);
        WeightSlot live = stage.allocate(values);
        stage.forward(live, microBatch, images, Graph.RETAINED).close();
        NativeMemoryTest.touchHeap();

        say();
        List<StageActivation> kept = new ArrayList<>();
        for (int i = 0; i < MICRO_BATCHES; i++) {
            kept.add(stage.forward(live, microBatch, images, Graph.RETAINED));
        }
        say();
        kept.forEach(StageActivation::close);
        say();
        List<WeightSlot> slots = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            slots.add(stage.allocate(values));
        }
        say();
        slots.subList(0, SLOTS / 2).forEach(WeightSlot::close);
        say();
        // The other slots are closed with their stage.
        stage.close();
        say();
    }

    private static void say() throws IOException {
        System.out.println(NativeMemoryTest.residentBytes());
    }
}
