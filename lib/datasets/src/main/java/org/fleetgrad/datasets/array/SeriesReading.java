package org.fleetgrad.datasets.array;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.SeriesDataset;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.sampling.StratifiedSplit;
import org.fleetgrad.datasets.table.ColumnKind;
import org.fleetgrad.datasets.table.TableNotes;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.files.text.Printable;

/**
 * Reads series and their targets from arrays. Inputs are read twice: for the mean of each channel, and for the values, which become
 * float32 at once; only after the first reading, which proves that they are there, memory is taken for them. So memory has the samples
 * as float32, 8 bytes for each target, and a buffer, whatever the type of the array.
 */
public final class SeriesReading {

    private static final String TEST_BOTH =
            "held-out samples need inputs and targets, such as x_test and y_test; there is only %s";

    private final Path source;
    private final String targetName;
    private final SeriesArray inputs;
    private final ArrayTargets targets;
    private final Optional<SeriesArray> testInputs;
    private final Optional<ArrayTargets> testTargets;
    private final List<String> others;

    private SeriesReading(Path source, ArrayFiles files, TableOptions options) throws IOException {
        this.source = source;
        inputs = SeriesArray.of(files.required(ArrayFiles.INPUTS).getValue());
        Map.Entry<String, NpyArray> named = files.required(ArrayFiles.TARGETS);
        targetName = named.getKey();
        Optional<ColumnKind> said = said(options);
        targets = ArrayTargets.read(targetName, named.getValue(), inputs.samples(), said);
        Optional<Map.Entry<String, NpyArray>> moreInputs = files.optional(ArrayFiles.TEST_INPUTS);
        Optional<Map.Entry<String, NpyArray>> moreTargets = files.optional(ArrayFiles.TEST_TARGETS);
        if (moreInputs.isPresent() != moreTargets.isPresent()) {
            throw invalid(TEST_BOTH.formatted(
                    moreInputs.or(() -> moreTargets).orElseThrow().getKey()));
        }
        others = files.others();
        if (moreInputs.isEmpty() || moreTargets.isEmpty()) {
            testInputs = Optional.empty();
            testTargets = Optional.empty();
            return;
        }
        SeriesArray test = SeriesArray.of(moreInputs.get().getValue());
        if (test.channels() != inputs.channels() || test.length() != inputs.length()) {
            throw test.array()
                    .invalid(
                            "its shape is %s, and that of the training samples %s; only the number of samples may differ"
                                    .formatted(
                                            test.array().shape(), inputs.array().shape()));
        }
        testInputs = Optional.of(test);
        testTargets = Optional.of(ArrayTargets.read(
                moreTargets.get().getKey(),
                moreTargets.get().getValue(),
                test.samples(),
                Optional.of(targets.hasClasses() ? ColumnKind.CATEGORY : ColumnKind.NUMBER)));
    }

    /** Returns whether a file has arrays, by its name. */
    public static boolean isArchive(Path file) {
        return ArrayFiles.isArchive(file);
    }

    /** Returns whether a folder of such files has arrays. */
    public static boolean areArrays(Set<String> files) {
        return ArrayFiles.areArrays(files);
    }

    /**
     * Reads series.
     *
     * @param source  a .npz or .safetensors file, or a folder with a .npz file or with .npy files
     * @param name    of the dataset
     * @param options what the user says of the target
     * @param holdOut share of the samples, of each class, that is held out if no array is; a tenth if it is absent
     * @throws InvalidDatasetException  if a file breaks a rule; the message has file, member and numbers
     * @throws IllegalArgumentException if what is in it breaks a rule
     */
    public static SeriesDataset read(Path source, String name, TableOptions options, OptionalDouble holdOut)
            throws IOException {
        try (ArrayFiles files = ArrayFiles.open(source)) {
            return new SeriesReading(source, files, options).dataset(name, holdOut);
        }
    }

    private Optional<ColumnKind> said(TableOptions options) throws InvalidDatasetException {
        if (!options.targets().isEmpty() && !options.targets().equals(List.of(targetName))) {
            throw invalid("the targets are in the array '%s'; --target is '%s'"
                    .formatted(targetName, Printable.text(String.join(", ", options.targets()))));
        }
        if (options.weight().isPresent()) {
            throw invalid("weights of rows are a column of a table, and arrays have no columns; --weight is '%s'"
                    .formatted(Printable.text(options.weight().get())));
        }
        for (String column : options.kinds().keySet()) {
            if (!column.equals(targetName)) {
                throw invalid(
                        "arrays have no columns, so --column and --drop name the target alone, '%s'; there is '%s'"
                                .formatted(targetName, Printable.text(column)));
            }
        }
        return Optional.ofNullable(options.kinds().get(targetName));
    }

    private InvalidDatasetException invalid(String detail) {
        return new InvalidDatasetException("%s: %s".formatted(source, detail));
    }

    private SeriesDataset dataset(String name, OptionalDouble holdOut) throws IOException {
        if (holdOut.isPresent() && testInputs.isPresent()) {
            throw invalid("%s are held out, so no others are: leave out --hold-out, or the array"
                    .formatted(testInputs.get().array().source().name()));
        }
        long[] classes = targets.hasClasses() ? targets.classes() : new long[0];
        StratifiedSplit split = split(classes, holdOut);
        if (split.training().length < 2 || (testInputs.isEmpty() && split.heldOut().length == 0)) {
            throw invalid("%,d samples are trained on and %,d held out; there must be 2 and 1, or more"
                    .formatted(split.training().length, split.heldOut().length));
        }
        TableTarget target = targets.hasClasses() ? targets.ofClasses(classes) : targets.ofNumbers(split.training());
        int heldOut = testInputs.map(SeriesArray::samples).orElse(split.heldOut().length);
        requireRoom((long) inputs.width() * ((long) split.training().length + heldOut));
        List<Channel> channels = inputs.measured(isTraining(split));
        SeriesSchema schema = new SeriesSchema(inputs.length(), channels, target);
        float[] encoded = targets.encoded(target, classes);
        int width = inputs.width();
        float[] training = new float[split.training().length * width];
        float[] test = testInputs.isPresent() ? testValues(channels) : new float[heldOut * width];
        inputs.read(channels, places(split), training, test);
        float[] testTarget =
                testTargets.isPresent() ? testTargets.get().encoded(target, classes) : picked(encoded, split.heldOut());
        return new SeriesDataset(
                name,
                schema,
                new TableSamples(training, width, picked(encoded, split.training())),
                new TableSamples(test, width, testTarget),
                notes(target, training.length / width, heldOut));
    }

    private StratifiedSplit split(long[] classes, OptionalDouble holdOut) throws InvalidDatasetException {
        int[] strata = targets.hasClasses() ? targets.labels(classes) : new int[inputs.samples()];
        double share = testInputs.isPresent() ? 0 : holdOut.orElse(StratifiedSplit.USUAL_SHARE);
        return StratifiedSplit.of(strata, Math.max(1, classes.length), share);
    }

    private void requireRoom(long values) throws InvalidDatasetException {
        if (values > TableSamples.MOST_VALUES) {
            throw invalid("the samples have %,d values, the most is %,d: leave some out, or places between others"
                    .formatted(values, TableSamples.MOST_VALUES));
        }
    }

    private boolean[] isTraining(StratifiedSplit split) {
        boolean[] isTraining = new boolean[inputs.samples()];
        for (int sample : split.training()) {
            isTraining[sample] = true;
        }
        return isTraining;
    }

    /** Reads them twice as well: the first proves that they are there. */
    private float[] testValues(List<Channel> channels) throws IOException {
        SeriesArray test = testInputs.orElseThrow();
        List<Channel> unused = test.measured(new boolean[test.samples()]);
        float[] values = new float[test.samples() * test.width()];
        test.read(channels, IntStream.range(0, test.samples()).toArray(), values, new float[0]);
        return values;
    }

    private int[] places(StratifiedSplit split) {
        int[] places = new int[inputs.samples()];
        for (int i = 0; i < split.training().length; i++) {
            places[split.training()[i]] = i;
        }
        for (int i = 0; i < split.heldOut().length; i++) {
            places[split.heldOut()[i]] = ~i;
        }
        return places;
    }

    private static float[] picked(float[] all, int[] samples) {
        float[] picked = new float[samples.length];
        for (int i = 0; i < picked.length; i++) {
            picked[i] = all[samples[i]];
        }
        return picked;
    }

    private List<String> notes(TableTarget target, int training, int heldOut) {
        List<String> notes = new ArrayList<>();
        notes.add("%,d series of %,d channels of %,d values are trained on, and %,d held out%s; they are %s"
                .formatted(
                        training,
                        inputs.channels(),
                        inputs.length(),
                        heldOut,
                        testInputs.isPresent() ? "" : " of the same array",
                        inputs.array().header().type()));
        notes.add("%s is %s".formatted(targetName, TableNotes.describe(target)));
        if (!others.isEmpty()) {
            notes.add("left out: " + Printable.text(String.join(", ", others)));
        }
        return notes;
    }
}
