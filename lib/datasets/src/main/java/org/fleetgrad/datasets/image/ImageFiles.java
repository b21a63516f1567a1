package org.fleetgrad.datasets.image;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Files of images with their labels. Nothing is known of their contents yet.
 *
 * @param place  the folder or file that names them, for messages
 * @param files  the images
 * @param labels label of each image
 */
public record ImageFiles(Path place, List<Path> files, int[] labels) {

    private static final Set<String> SUFFIXES = Set.of("png", "jpg", "jpeg");

    public ImageFiles {
        files = List.copyOf(files);
    }

    /** Returns whether a file's name ends as that of an image. */
    public static boolean isNamedAsImage(Path file) {
        String name = String.valueOf(file.getFileName());
        return SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    int count() {
        return labels.length;
    }

    /** Takes some of the images, in an order. */
    ImageFiles at(int[] indices) {
        return new ImageFiles(
                place,
                IntStream.of(indices).mapToObj(files::get).toList(),
                Arrays.stream(indices).map(i -> labels[i]).toArray());
    }
}
