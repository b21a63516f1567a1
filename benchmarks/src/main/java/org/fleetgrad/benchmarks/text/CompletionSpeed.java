package org.fleetgrad.benchmarks.text;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Measures completions of nanoGPT's smallest GPT-2: tokens per second through HTTP, compared with Hugging Face's generate
 * without it; and the time from one streamed token to the next while one worker trains.
 */
public record CompletionSpeed(Workbench bench) {

    private static final int CONTEXT = 64;
    private static final String NETWORK = "gpt2?context=64&dropout=0&heads=4&layers=4&tied=yes&vocabulary=65&width=128";
    private static final int NEW_TOKENS = 60;
    private static final String SECONDS = "3";
    private static final double WARM_UP_SECONDS = 10;

    private static final int FIRST_CHARACTER = ' ';
    private static final int CHARACTERS = 65;
    private static final int TRAINING_CHARACTERS = 60_000;
    private static final int EPOCHS = 3;

    private enum Beside {
        TRAINING,
        NOTHING
    }

    /** What clients saw in a round: nanoseconds from each token to the next. */
    private static double p99Milliseconds(List<Double> gaps) {
        return new Timings(gaps.stream().mapToDouble(Double::doubleValue).toArray()).percentile(0.99) / 1e6;
    }

    public List<Result> measure() throws Exception {
        bench.progress("text: completions");
        TextDataset dataset = dataset();
        Programs.Server server =
                bench.programs().startServer(Map.of("PS_OPTIMIZER", "adamw", "PS_LEARNINGRATE", "0.001"));
        put(server, dataset.schema());
        URI address = bench.programs().startInference(server, Map.of()).address();
        CompletionClient client = new CompletionClient(address, NEW_TOKENS);
        client.awaitModel();
        double unused = client.tokensPerSecond(WARM_UP_SECONDS);
        return List.of(besideGenerate(client), besideTraining(server, dataset, client));
    }

    private Result besideGenerate(CompletionClient client) throws Exception {
        Optional<String> missing = PythonScript.missing("torch", "transformers");
        if (missing.isPresent()) {
            return Missing.skipped("text-completions", missing.get());
        }
        String[] arguments = {NETWORK, Integer.toString(NEW_TOKENS), "1"};
        try (LineProcess generate = PythonScript.start(bench, "generate.py", arguments)) {
            generate.ask(SECONDS);
            Comparison.Pair pair = bench.compare(
                    () -> client.tokensPerSecond(Double.parseDouble(SECONDS)), () -> generate.askNumber(SECONDS));
            return Figure.of(
                            "text-completions",
                            "completions of nanoGPT's smallest GPT-2 through HTTP, %d tokens, one client"
                                    .formatted(NEW_TOKENS))
                    .ours(pair.ours(), "tokens/s")
                    .rival(pair.other(), "transformers.generate in one process, one thread, no HTTP")
                    .ratioAtLeast(5);
        }
    }

    private Result besideTraining(Programs.Server server, TextDataset dataset, CompletionClient client)
            throws Exception {
        WarmFleet fleet = WarmFleet.start(bench, 1, dataset);
        double unused = fleet.train(server, 1);
        Comparison<Beside> comparison = bench.compare(List.of(Beside.values()), side -> {
            double p99 = p99Milliseconds(
                    side == Beside.TRAINING ? gapsWhile(server, fleet, client) : gaps(client, WARM_UP_SECONDS / 2));
            bench.progress("%s: p99 %.2f ms", side, p99);
            return p99;
        });
        return Figure.of(
                        "text-token-p99", "99th percentile from one streamed token to the next while one worker trains")
                .ours(comparison.of(Beside.TRAINING), "ms")
                .limit(comparison.of(Beside.NOTHING), "the same streams, nothing trains")
                .atMost(20);
    }

    private static List<Double> gapsWhile(Programs.Server server, WarmFleet fleet, CompletionClient client)
            throws Exception {
        CompletableFuture<Void> training = CompletableFuture.runAsync(() -> {
            try {
                double unused = fleet.train(server, EPOCHS);
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
        List<Double> all = new ArrayList<>();
        while (!training.isDone()) {
            all.addAll(client.gaps());
        }
        training.get();
        return all;
    }

    private static List<Double> gaps(CompletionClient client, double seconds) throws Exception {
        List<Double> all = new ArrayList<>();
        long begin = System.nanoTime();
        do {
            all.addAll(client.gaps());
        } while ((System.nanoTime() - begin) / 1e9 < seconds);
        return all;
    }

    private static void put(Programs.Server server, TextSchema schema) throws Exception {
        NetworkDefinition network = Networks.named(NETWORK);
        Map<String, String> metadata = new TreeMap<>(network.spec().metadata());
        metadata.putAll(schema.metadata());
        server.client().putInitial(TensorSet.ofFloats(network.spec().layout(), network.initialParameters(1), metadata));
    }

    /** Random characters: speed does not depend on what they say. */
    private static TextDataset dataset() {
        String alphabet = IntStream.range(FIRST_CHARACTER, FIRST_CHARACTER + CHARACTERS)
                .mapToObj(Character::toString)
                .reduce("", String::concat);
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < TRAINING_CHARACTERS; i++) {
            text.append(alphabet.charAt(random.nextInt(CHARACTERS)));
        }
        TextSchema schema = new TextSchema(CharacterTokenizer.of(alphabet), CONTEXT);
        return TextDataset.of("noise", schema, text.toString(), text.substring(0, 10 * CONTEXT));
    }
}
