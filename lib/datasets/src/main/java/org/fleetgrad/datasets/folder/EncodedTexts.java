package org.fleetgrad.datasets.folder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.text.SampleEncoding.Encoded;
import org.fleetgrad.datasets.text.Tokens;

/**
 * The texts of a file as samples.
 *
 * @param tokens  of each sample
 * @param labels  of each sample
 * @param context tokens of a sample
 * @param cut     how many texts had more
 * @param longest number of tokens of the longest text
 */
record EncodedTexts(List<int[]> tokens, int[] labels, int context, int cut, int longest) {

    /**
     * Encodes texts.
     *
     * @throws InvalidDatasetException if one cannot be encoded; the message has its line
     */
    static EncodedTexts of(CsvTexts file, LabelledTextSchema schema) throws InvalidDatasetException {
        int count = file.texts().size();
        int context = schema.encoding().context();
        CsvReader.requireRoom(count, context);
        List<int[]> tokens = new ArrayList<>(count);
        int[] labels = new int[count];
        int cut = 0;
        int longest = 0;
        for (int i = 0; i < count; i++) {
            Encoded encoded;
            try {
                encoded = schema.encoding().encode(file.texts().get(i));
            } catch (IllegalArgumentException unfit) {
                throw new InvalidDatasetException(
                        "%s: line %d: %s".formatted(file.file(), file.lines().get(i), unfit.getMessage()), unfit);
            }
            tokens.add(encoded.tokens());
            labels[i] = Collections.binarySearch(schema.classes(), file.labels().get(i));
            cut += encoded.length() > context ? 1 : 0;
            longest = Math.max(longest, encoded.length());
        }
        return new EncodedTexts(tokens, labels, context, cut, longest);
    }

    int count() {
        return labels.length;
    }

    /** Takes some of the samples, in an order. */
    LabelledTexts samples(int[] indices) {
        int[] all = new int[indices.length * context];
        int[] own = new int[indices.length];
        for (int i = 0; i < indices.length; i++) {
            System.arraycopy(tokens.get(indices[i]), 0, all, i * context, context);
            own[i] = labels[indices[i]];
        }
        return new LabelledTexts(Tokens.of(all), context, Labels.of(own));
    }

    /** Says how many texts were cut; nothing if none was. */
    static List<String> notes(List<EncodedTexts> files, int context) {
        int cut = files.stream().mapToInt(EncodedTexts::cut).sum();
        int count = files.stream().mapToInt(EncodedTexts::count).sum();
        int longest = files.stream().mapToInt(EncodedTexts::longest).max().orElse(0);
        return cut == 0
                ? List.of()
                : List.of("%,d of %,d texts have more than %,d tokens, the longest %,d: they are cut (--context)"
                        .formatted(cut, count, context, longest));
    }
}
