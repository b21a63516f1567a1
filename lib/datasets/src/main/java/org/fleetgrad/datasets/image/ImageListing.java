package org.fleetgrad.datasets.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;

/**
 * Files with readable headers.
 *
 * @param files   those
 * @param headers of each
 * @param broken  why others have none, by their place among all
 */
record ImageListing(ImageFiles files, List<ImageHeader> headers, SortedMap<Integer, String> broken) {

    /** A header, or why there is none. */
    private record Header(Optional<ImageHeader> read, String reason) {

        static Header of(Path file) {
            if (!Files.isRegularFile(file)) {
                return new Header(
                        Optional.empty(),
                        Files.exists(file)
                                ? "%s is not a file that ends in .png, .jpg or .jpeg".formatted(file)
                                : "%s does not exist".formatted(file));
            }
            if (!ImageFiles.isNamedAsImage(file)) {
                return new Header(
                        Optional.empty(), "%s is not a file that ends in .png, .jpg or .jpeg".formatted(file));
            }
            try {
                return new Header(Optional.of(ImageReading.header(file)), "");
            } catch (IOException unreadable) {
                return new Header(Optional.empty(), String.valueOf(unreadable.getMessage()));
            }
        }
    }

    /** Reads the headers of files. */
    static ImageListing of(ImageFiles all) {
        List<Header> headers = all.files().parallelStream().map(Header::of).toList();
        SortedMap<Integer, String> broken = new TreeMap<>();
        for (int i = 0; i < headers.size(); i++) {
            if (headers.get(i).read().isEmpty()) {
                broken.put(i, headers.get(i).reason());
            }
        }
        return new ImageListing(
                all.at(IntStream.range(0, all.count())
                        .filter(i -> !broken.containsKey(i))
                        .toArray()),
                headers.stream().flatMap(header -> header.read().stream()).toList(),
                broken);
    }

    /** Takes some of the images, in an order. */
    ImageListing at(int[] indices) {
        return new ImageListing(
                files.at(indices), IntStream.of(indices).mapToObj(headers::get).toList(), broken);
    }
}
