package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.Push;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.testing.Python;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A worker whose samples do not count alike. */
class WeightedTrainingTest {

    private static final float RATE = 0.1f;
    private static final long SEED = 3;
    private static final int ROWS = 60;
    private static final int BATCH = 8;
    private static final int WIDTH = 5;
    private static final String NAME = "tabular?categories=none&classes=3&dropout=0&hidden=6&numbers=5";
    private static final NetworkDefinition NETWORK = Networks.named(NAME);
    private static final TensorLayout LAYOUT = NETWORK.spec().layout();

    /** Plain SGD in float64 on the batches that are pushed together, each as one batch. */
    private static final String TORCH = """
            import json, sys, torch
            given = json.loads(sys.argv[1])
            names = given["names"]
            p = {n: torch.tensor(v, dtype=torch.float64, requires_grad=True) for n, v in given["parameters"].items()}
            rows = torch.tensor(given["rows"], dtype=torch.float64)
            labels = torch.tensor(given["labels"])
            weight = torch.tensor(given["weights"], dtype=torch.float64) if given["weights"] else None
            loss_of = torch.nn.CrossEntropyLoss(weight=weight, label_smoothing=given["smoothing"])
            if given["own"]:
                # A row of weight w counts as w rows.
                own = torch.tensor(given["own"], dtype=torch.float64)
                of_one = torch.nn.CrossEntropyLoss(weight=weight, reduction="none")
                of = torch.ones(3, dtype=torch.float64) if weight is None else weight
                batched = lambda out, batch: (own[batch] * of_one(out, labels[batch])).sum() / (own[batch] * of[labels[batch]]).sum()
            else:
                batched = lambda out, batch: loss_of(out, labels[batch])
            losses = []
            for batch in given["batches"]:
                hidden = torch.relu(torch.nn.functional.linear(rows[batch], p["fc1.weight"], p["fc1.bias"]))
                loss = batched(torch.nn.functional.linear(hidden, p["fc2.weight"], p["fc2.bias"]), batch)
                for each, gradient in zip(p.values(), torch.autograd.grad(loss, p.values())):
                    each.data -= given["rate"] * gradient
                losses.append(loss.item())
            print(json.dumps({"losses": losses, "parameters": [x for n in names for x in p[n].flatten().tolist()]}))
            """;

    @TempDir
    private Path folder;

    private static TableSamples rows() {
        Random random = new Random(7);
        float[] values = new float[ROWS * WIDTH];
        float[] labels = new float[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < ROWS; i++) {
            // One of twenty is of class 2.
            labels[i] = i % 20 == 0 ? 2 : values[i * WIDTH] > 0.5 ? 1 : 0;
        }
        return new TableSamples(values, WIDTH, labels);
    }

    /** The same rows with weights from 0 to 5. */
    private static TableSamples weighted() {
        TableSamples rows = rows();
        float[] own = new float[ROWS];
        for (int i = 0; i < ROWS; i++) {
            own[i] = i * 7 % 11 / 2f;
        }
        return new TableSamples(rows.values(), WIDTH, rows.targets(), 1, own);
    }

    private static Shard shard(TableSamples rows) {
        List<TableColumn> columns = IntStream.range(0, WIDTH)
                .<TableColumn>mapToObj(i -> new NumberColumn("c" + i, 0, 1, false))
                .toList();
        return Shard.of(
                "rows",
                Split.TRAIN,
                new TableSchema(
                        columns,
                        new ClassTarget("kind", List.of("a", "b", "c")),
                        rows.weights().length == 0 ? Optional.empty() : Optional.of("w")),
                new SampleRange(0, ROWS, ROWS),
                rows);
    }

    private List<Push> train(ClassWeights weights, double smoothing, int interval, int epochs) throws Exception {
        return train(
                new Learning(BATCH, interval, 0, smoothing, weights, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                epochs);
    }

    private List<Push> train(Learning learning, int epochs) throws Exception {
        return train(learning, epochs, rows());
    }

    private List<Push> train(Learning learning, int epochs, TableSamples rows) throws Exception {
        Path file = folder.resolve("shard.tar.gz");
        ShardArchive.write(shard(rows), file);
        TrainingTask task = new TrainingTask(learning, Optional.of(NAME), PlainTraining.WORKER, PlainTraining.TRANSFER);
        try (FakeParameterServer server = new FakeParameterServer(RATE);
                Network network = Libtorch.open(NETWORK, Device.CPU)) {
            Tools tools = new Tools(
                    ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                    definition -> network,
                    new ShardSource(ShardLimits.DEFAULT),
                    new TimeBudget(Clock.systemUTC()),
                    new WarmState(),
                    () -> false);
            TrainingReport unused = task.runShard(tools, file.toString(), epochs, 0);
            trained = server.parameters().toFloats(LAYOUT);
            return server.pushes();
        }
    }

    private float[] trained = {};

    /** The samples of each push: batches of one size together, a smaller last one by itself. */
    private static List<int[]> pushed(int interval, int epochs) {
        List<int[]> all = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            var order = new BatchSampler(ROWS, BATCH, SEED).epoch(epoch);
            int whole = ROWS / BATCH * BATCH;
            for (int at = 0; at < whole; at += BATCH * interval) {
                all.add(order.samples(at, Math.min(BATCH * interval, whole - at)));
            }
            all.add(order.samples(whole, ROWS - whole));
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"'0.5,1,8', 0, 1", "'0.5,1,8', 0, 3", "'2,0,7.5', 0.1, 2", "'', 0.1, 2"})
    @Tag("whole")
    void shouldTrainAsPyTorchDoes(String text, double smoothing, int interval) throws Exception {
        ClassWeights weights = text.isEmpty() ? ClassWeights.EQUAL : ClassWeights.parse(text);
        List<Push> pushes = train(weights, smoothing, interval, 3);

        assertTrainedAs(Python.run(TORCH, sent(rows(), text, smoothing, pushed(interval, 3))), pushes);
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "'0.5,1,8', 3"})
    @Tag("whole")
    void shouldTrainOnWeightedRowsAsPyTorchDoes(String text, int interval) throws Exception {
        ClassWeights weights = text.isEmpty() ? ClassWeights.EQUAL : ClassWeights.parse(text);
        Learning learning = new Learning(BATCH, interval, 0, 0, weights, Sampling.SHUFFLED, Augmentation.NONE, SEED);

        List<Push> pushes = train(learning, 3, weighted());

        assertTrainedAs(Python.run(TORCH, sent(weighted(), text, 0, pushed(interval, 3))), pushes);
    }

    private void assertTrainedAs(String printed, List<Push> pushes) {
        JsonNode torch = JsonMapper.shared().readTree(printed);
        assertThat(pushes).hasSize(torch.get("losses").size());
        for (int i = 0; i < pushes.size(); i++) {
            assertThat(pushes.get(i).metadata().loss())
                    .isCloseTo(torch.get("losses").get(i).asDouble(), within(1e-5));
        }
        for (int i = 0; i < trained.length; i++) {
            assertThat((double) trained[i])
                    .isCloseTo(torch.get("parameters").get(i).asDouble(), within(1e-5));
        }
    }

    private static String sent(TableSamples rows, String weights, double smoothing, List<int[]> batches) {
        StringBuilder parameters = new StringBuilder();
        for (String name : List.of("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")) {
            int columns = name.equals("fc1.weight") ? WIDTH : name.equals("fc2.weight") ? 6 : 0;
            parameters
                    .append(parameters.isEmpty() ? "" : ",")
                    .append("\"%s\":%s".formatted(name, numbers(NETWORK.initialValues(name, SEED), columns)));
        }
        List<String> drawn = batches.stream()
                .map(batch -> IntStream.of(batch).boxed().toList().toString())
                .toList();
        return String.format(
                Locale.ROOT,
                "{\"names\":[\"fc1.bias\",\"fc1.weight\",\"fc2.bias\",\"fc2.weight\"],\"rate\":%s,\"smoothing\":%s,\"weights\":[%s],\"own\":%s,"
                        + "\"labels\":%s,\"rows\":%s,\"parameters\":{%s},\"batches\":%s}",
                RATE,
                smoothing,
                weights,
                numbers(rows.weights(), 0),
                IntStream.range(0, ROWS)
                        .map(i -> (int) rows.targets()[i])
                        .boxed()
                        .toList(),
                numbers(rows.values(), WIDTH),
                parameters,
                drawn);
    }

    /** As a list, or of so many columns as a list of rows. */
    private static String numbers(float[] values, int columns) {
        List<Float> flat =
                IntStream.range(0, values.length).mapToObj(i -> values[i]).toList();
        return columns == 0
                ? flat.toString()
                : IntStream.range(0, values.length / columns)
                        .mapToObj(i -> flat.subList(i * columns, (i + 1) * columns))
                        .toList()
                        .toString();
    }

    @Test
    void shouldPushTheSumOfTheWeights() throws Exception {
        ClassWeights weights = ClassWeights.parse("0.5,1,8");
        List<int[]> batches = pushed(2, 1);
        TableSamples rows = rows();

        List<Push> pushes = train(weights, 0, 2, 1);

        for (int i = 0; i < batches.size(); i++) {
            double sum = IntStream.of(batches.get(i))
                    .mapToDouble(sample -> weights.of((int) rows.targets()[sample]))
                    .sum();
            assertThat(pushes.get(i).metadata().lossWeight()).hasValue(sum);
            assertThat(pushes.get(i).metadata().samples()).isEqualTo(batches.get(i).length);
        }
        assertThat(train(ClassWeights.EQUAL, 0, 2, 1))
                .allSatisfy(push -> assertThat(push.metadata().lossWeight()).isEmpty());
    }

    /** Their classes are seen by the sums of their weights. */
    @Test
    void shouldTrainOnTheSamplesThatABalancedDrawHas() throws Exception {
        ClassWeights weights = ClassWeights.parse("1,100,10000");
        TableSamples rows = rows();
        int[] labels =
                IntStream.range(0, ROWS).map(i -> (int) rows.targets()[i]).toArray();
        List<Double> expected = new ArrayList<>();
        for (int[] batch : BatchSampler.balanced(labels, 0, BATCH, SEED).epoch(0)) {
            expected.add(
                    IntStream.of(batch).mapToDouble(i -> weights.of(labels[i])).sum());
        }

        List<Push> pushes = train(new Learning(BATCH, 1, 0, 0, weights, Sampling.BALANCED, Augmentation.NONE, SEED), 1);

        assertThat(pushes)
                .extracting(push -> push.metadata().lossWeight().orElseThrow())
                .isEqualTo(expected);
        assertThat(pushes.stream().mapToLong(push -> push.metadata().samples()).sum())
                .isEqualTo(ROWS);
    }

    /** Weights that are all 1 are those of samples that count alike, but for rounding. */
    @Test
    void shouldTrainTheSameWhereAllWeightsAreOne() throws Exception {
        List<Push> unused = train(ClassWeights.parse("1,1,1"), 0.1, 2, 2);
        float[] weighed = trained;
        unused = train(ClassWeights.EQUAL, 0.1, 2, 2);

        for (int i = 0; i < weighed.length; i++) {
            assertThat(weighed[i]).isCloseTo(trained[i], within(1e-6f));
        }
    }

    /** A batch of samples that do not count has no gradient, no loss, and is pushed: its samples are done. */
    @Test
    void shouldPushZerosWhereNoSampleCounts() throws Exception {
        List<Push> pushes = train(ClassWeights.parse("0,0,1"), 0, 1, 1);

        assertThat(pushes).hasSize(8);
        assertThat(pushes).anySatisfy(push -> {
            assertThat(push.metadata().lossWeight()).hasValue(0);
            assertThat(push.metadata().loss()).isZero();
            float[] gradient = push.gradient(LAYOUT);
            assertThat(IntStream.range(0, gradient.length)).allMatch(i -> gradient[i] == 0);
        });
        assertThat(trained).doesNotContain(Float.NaN);
    }
}
