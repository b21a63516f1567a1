package org.fleetgrad.runs;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.shards.PreparedDataset;

/** The questions to the live model of a run. It begins with the training. */
interface Conversation extends AutoCloseable {

    /** Asks the trained model, and shows its answer. */
    void end() throws IOException, InterruptedException;

    @Override
    void close();

    /** Nothing is asked. */
    Conversation NONE = new Conversation() {
        @Override
        public void end() {}

        @Override
        public void close() {}
    };

    /**
     * Begins a conversation about a dataset.
     *
     * @param demonstration what is asked; nothing if it is empty
     * @throws RunFailedException if the model cannot read the prompt
     */
    static Conversation begin(
            Optional<Demonstration> demonstration,
            Services services,
            PreparedDataset dataset,
            long seed,
            RunOutput output)
            throws RunFailedException {
        if (demonstration.isEmpty()) {
            return NONE;
        }
        InferenceClient client = new InferenceClient(services.inference(), services.token());
        if (dataset.test() instanceof TextSamples text && dataset.schema() instanceof TextSchema schema) {
            Prompt prompt = Prompt.of(demonstration.get().prompt(), text, schema.tokenizer());
            return LiveContinuation.begin(client, prompt, seed, output);
        }
        if (demonstration.get().prompt().isPresent()) {
            throw RunFailedException.input("--prompt is for a language model; the samples of %s are %s"
                    .formatted(dataset.name(), dataset.schema().task().samples()));
        }
        return dataset.test() instanceof ImageSamples ? new HeldOutQuestion(client, dataset, seed, output) : NONE;
    }
}
