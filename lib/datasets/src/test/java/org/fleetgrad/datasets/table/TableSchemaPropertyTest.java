package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;

class TableSchemaPropertyTest {

    @Provide
    Arbitrary<TableSchema> schemas() {
        Arbitrary<String> words = Arbitraries.of("a", "b", " ", "\"", "\\", "é", "\u2028", "😀", ",")
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(parts -> String.join("", parts))
                .filter(word -> !word.isBlank());
        Arbitrary<List<String>> sets = words.list()
                .ofMinSize(2)
                .ofMaxSize(12)
                .uniqueElements()
                .map(list -> list.stream().sorted().toList());
        Arbitrary<Double> means = Arbitraries.doubles();
        Arbitrary<Double> stds = Arbitraries.of(1e-300, 0.1, 1 / 3.0, 1.0, 12_345.678_9, Double.MAX_VALUE);
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        Arbitrary<TableColumn> columns = Arbitraries.oneOf(
                Combinators.combine(means, stds, flags)
                        .as((mean, std, missing) -> new NumberColumn("n", mean, std, missing)),
                Combinators.combine(means, stds, flags, flags)
                        .as((mean, std, time, missing) -> new DateColumn("n", time, mean, std, missing)),
                sets.map(values -> new CategoryColumn("n", values)));
        Arbitrary<TableTarget> targets = Arbitraries.oneOf(
                sets.map(classes -> new ClassTarget("the target", classes)),
                sets.map(LabelsTarget::of),
                Combinators.combine(means, stds).as((mean, std) -> new NumberTarget("the target", mean, std)));
        return Combinators.combine(columns.list().ofMinSize(1).ofMaxSize(6), targets)
                .as((list, target) -> new TableSchema(named(list), target));
    }

    private static List<TableColumn> named(List<TableColumn> columns) {
        List<TableColumn> named = new ArrayList<>();
        for (TableColumn column : columns) {
            String name = "column \"%d\" é".formatted(named.size());
            if (column instanceof NumberColumn number) {
                named.add(new NumberColumn(name, number.mean(), number.std(), number.hasMissing()));
            } else if (column instanceof DateColumn date) {
                named.add(new DateColumn(name, date.hasTime(), date.mean(), date.std(), date.hasMissing()));
            } else {
                named.add(new CategoryColumn(name, ((CategoryColumn) column).values()));
            }
        }
        return named;
    }

    @Property(tries = 200)
    void shouldComeBackFromJson(@ForAll("schemas") TableSchema schema) {
        assertThat(TableJson.parse(TableJson.write(schema))).isEqualTo(schema);
        assertThat(TableJson.parse(schema.metadata().getOrDefault("table", ""))).isEqualTo(schema);
        assertThat(schema.metadata().containsKey("classes")).isEqualTo(schema.target() instanceof ClassTarget);
    }

    @Property(tries = 100)
    void shouldComeBackFromAShard(
            @ForAll("schemas") TableSchema schema, @ForAll @IntRange(min = 1, max = 30) int rows, @ForAll int seed)
            throws IOException {
        TableSamples samples = samples(schema, rows, new Random(seed));
        Shard shard = Shard.of("table", Split.TRAIN, schema, new SampleRange(3, rows, 99), samples);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ShardArchive.write(shard, out);

        Shard read = ShardArchive.read(new ByteArrayInputStream(out.toByteArray()), ShardLimits.DEFAULT);

        assertThat(read.description()).isEqualTo(shard.description());
        assertThat(((TableSamples) read.samples()).values()).isEqualTo(samples.values());
        assertThat(((TableSamples) read.samples()).targets()).isEqualTo(samples.targets());
        TableSamples last = samples.slice(rows - 1, rows);
        float[] inputs = new float[2 * schema.width()];
        int each = schema.target().columns().size();
        float[] targets = new float[2 * each];
        read.read(new int[] {0, rows - 1}, new EpochDraws(Augmentation.NONE, 1, 0), inputs, targets);
        assertThat(Arrays.copyOf(targets, each)).isEqualTo(samples.slice(0, 1).targets());
        assertThat(Arrays.copyOfRange(targets, each, 2 * each)).isEqualTo(last.targets());
        assertThat(Arrays.copyOfRange(inputs, schema.width(), 2 * schema.width()))
                .isEqualTo(last.values());
        assertThat(read.inputSize()).isEqualTo(schema.width());
        assertThat(read.targetCount()).isEqualTo(each);
    }

    private static float target(TableTarget target, Random random) {
        if (target instanceof LabelsTarget) {
            return random.nextInt(2);
        }
        return target instanceof ClassTarget classes
                ? random.nextInt(classes.classes().size())
                : (float) random.nextGaussian();
    }

    private static TableSamples samples(TableSchema schema, int rows, Random random) {
        float[] values = new float[rows * schema.width()];
        int each = schema.target().columns().size();
        float[] targets = new float[rows * each];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < schema.width(); i++) {
                values[row * schema.width() + i] = i < schema.numbers()
                        ? (float) random.nextGaussian()
                        : random.nextInt(schema.categories().get(i - schema.numbers()));
            }
            for (int i = 0; i < each; i++) {
                targets[row * each + i] = target(schema.target(), random);
            }
        }
        return new TableSamples(values, schema.width(), targets, each);
    }
}
