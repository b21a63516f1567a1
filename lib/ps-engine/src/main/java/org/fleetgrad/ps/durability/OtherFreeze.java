package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.fleetgrad.ps.persistence.TrainingState;

/**
 * The state of a run for a new run that freezes other tensors. What optimizer and staleness rule remember is found by the
 * tensors' names: a tensor that is frozen now is left out. A parameter that was frozen until now has nothing to be found:
 * zeros are not what an optimizer would remember of it after so many steps.
 *
 * @param before the trainable values of the state
 * @param after  those of the new run
 */
record OtherFreeze(TrainableValues before, TrainableValues after) {

    private static final int MOST_NAMED = 8;

    /**
     * Returns the state for the new run.
     *
     * @param source that the state is from, for the message
     * @throws IOException if parameters would be trained of which the state remembers nothing; the message names them
     */
    TrainingState of(TrainingState saved, String source) throws IOException {
        Map<String, float[]> buffers = saved.optimizer().buffers();
        List<String> thawed = thawed(ParameterState.in(saved.metadata()));
        if (!buffers.isEmpty() && !thawed.isEmpty()) {
            throw new IOException(
                    "%s has no optimizer state of %d tensors that were frozen and are to be trained (%s): freeze them again, or begin with the parameters alone, from a model.safetensors"
                            .formatted(source, thawed.size(), named(thawed)));
        }
        Map<String, float[]> carried = new LinkedHashMap<>();
        buffers.forEach((name, values) -> carried.put(name, carried(values)));
        return saved.with(new RuleState(saved.optimizer().numbers(), carried));
    }

    private List<String> thawed(ParameterState state) {
        return after.layout().specs().stream()
                .map(TensorSpec::name)
                .filter(name ->
                        !state.has(name) && before.layout().indexOf(name).isEmpty())
                .toList();
    }

    private static String named(List<String> names) {
        String first = names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMED ? first + ", …" : first;
    }

    private float[] carried(float[] values) {
        float[] all = new float[Math.toIntExact(before.whole().elementCount())];
        before.putInto(values, all);
        return after.of(all);
    }
}
