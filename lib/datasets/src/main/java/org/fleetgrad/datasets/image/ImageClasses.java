package org.fleetgrad.datasets.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;
import org.fleetgrad.datasets.sampling.StratifiedSplit;

/**
 * Images of classes, read from files.
 *
 * @param classes names of the classes
 * @param train   the training samples, in random order, the same each time
 * @param test    the held-out samples, of the same shape
 * @param notes   what the user should know of how the files were read
 */
public record ImageClasses(List<String> classes, ImageSamples train, ImageSamples test, List<String> notes) {

    /** Largest number of pixels of an image's edge. */
    public static final int MAX_SIZE = 1024;

    public ImageClasses {
        classes = List.copyOf(classes);
        notes = List.copyOf(notes);
    }

    /**
     * Reads files. All images become grey if every file is grey, else red, green and blue, and all get one shape, as {@link ImageShape}
     * says.
     *
     * @param test the held-out files; if they are absent, a share of each class is held out
     * @throws InvalidDatasetException if a file is broken or has too many pixels, unless such files are skipped, or if a class or a split
     *     has no images left; the message has the path
     */
    public static ImageClasses read(
            List<String> classes, ImageFiles train, Optional<ImageFiles> test, ImageOptions options)
            throws InvalidDatasetException {
        ClassNames.require(classes);
        BrokenFiles broken = new BrokenFiles(options.skipsBroken());
        ImageListing training = listing(train, broken);
        Optional<ImageListing> own = test.map(files -> listing(files, broken));
        broken.require();
        requireAll(training, classes);
        double share = test.isPresent() ? 0 : options.holdOut().orElse(StratifiedSplit.USUAL_SHARE);
        StratifiedSplit split = StratifiedSplit.of(training.files().labels(), classes.size(), share);
        ImageListing held = own.orElseGet(() -> training.at(split.heldOut()));
        requireHeldOut(held, own.isPresent(), training, classes);
        List<ImageHeader> all = Stream.concat(
                        training.headers().stream(), own.stream().flatMap(files -> files.headers().stream()))
                .toList();
        ImageShape shape = ImageShape.of(all, options);
        ImageListing rest = training.at(split.training());
        DecodedImages decoded = DecodedImages.of(rest.files(), rest.headers(), shape.fitted());
        DecodedImages decodedTest = DecodedImages.of(held.files(), held.headers(), shape.fitted());
        // These files were counted when their headers were read.
        broken.add(decoded.broken(), 0);
        broken.add(decodedTest.broken(), 0);
        broken.require();
        requireSome(decoded, train);
        requireSome(decodedTest, held.files());
        List<String> notes = new ArrayList<>(shape.notes());
        if (own.isEmpty()) {
            notes.add(0, heldOutNote(held.files().count(), training.files().count(), share));
        }
        notes.addAll(broken.notes());
        return new ImageClasses(classes, decoded.samples(), decodedTest.samples(), notes);
    }

    private static ImageListing listing(ImageFiles files, BrokenFiles broken) {
        ImageListing listing = ImageListing.of(files);
        broken.add(listing.broken(), files.count());
        return listing;
    }

    private static void requireAll(ImageListing training, List<String> classes) throws InvalidDatasetException {
        boolean[] isThere = new boolean[classes.size()];
        for (int label : training.files().labels()) {
            isThere[label] = true;
        }
        for (int label = 0; label < isThere.length; label++) {
            if (!isThere[label]) {
                throw new InvalidDatasetException("%s: all images of the class '%s' are broken"
                        .formatted(training.files().place(), classes.get(label)));
            }
        }
    }

    private static void requireHeldOut(ImageListing held, boolean isOwn, ImageListing training, List<String> classes)
            throws InvalidDatasetException {
        if (held.files().count() == 0) {
            throw new InvalidDatasetException(
                    isOwn
                            ? "%s: all held-out images are broken"
                                    .formatted(held.files().place())
                            : "%s: each of the %d classes has one image, so none can be held out: add images, or held-out ones of their own"
                                    .formatted(training.files().place(), classes.size()));
        }
    }

    private static void requireSome(DecodedImages images, ImageFiles files) throws InvalidDatasetException {
        if (images.samples().count() == 0) {
            throw new InvalidDatasetException("%s: all %d images of a split are broken"
                    .formatted(files.place(), images.broken().size()));
        }
    }

    private static String heldOutNote(int heldOut, int all, double share) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d images are held out, a share of %s of each class, the same each time (--hold-out)",
                heldOut,
                all,
                share);
    }
}
