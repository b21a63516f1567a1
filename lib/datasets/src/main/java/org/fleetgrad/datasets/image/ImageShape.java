package org.fleetgrad.datasets.image;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;

/**
 * The shape that all images of a dataset are brought to, and why.
 *
 * @param fitted the shape
 * @param notes  what the user should know: the numbers of a choice that nobody made
 */
record ImageShape(FittedImage fitted, List<String> notes) {

    /** Edge of images without a network, at most: the usual one of networks for photographs. */
    private static final int LARGEST_DEFAULT = 224;

    /** Width and height, and where they come from if the user should know. */
    private record Size(int width, int height, Optional<String> reason) {}

    /** Chooses the shape of images, of which there is at least one. */
    static ImageShape of(List<ImageHeader> headers, ImageOptions options) throws InvalidDatasetException {
        int channels = channels(headers, options);
        Size size = size(headers, options);
        int most = ImageClasses.MAX_SIZE;
        if (Math.min(size.width(), size.height()) < 1 || Math.max(size.width(), size.height()) > most) {
            throw new InvalidDatasetException("the image size must be from 1 to %d pixels; it is %s"
                    .formatted(
                            most,
                            size.width() == size.height()
                                    ? String.valueOf(size.width())
                                    : "%d x %d".formatted(size.width(), size.height())));
        }
        return new ImageShape(
                new FittedImage(channels, size.height(), size.width()),
                Stream.concat(sizeNote(headers, size).stream(), colourNote(headers, channels).stream())
                        .toList());
    }

    /** The network's, if it states them; else colour wins: a grey image has the same value three times. */
    private static int channels(List<ImageHeader> headers, ImageOptions options) {
        Optional<Integer> stated = options.network()
                .filter(NetworkInput::isStated)
                .map(NetworkInput::channels)
                .filter(channels -> channels == 1 || channels == 3);
        return stated.orElse(headers.stream().allMatch(ImageHeader::isGrey) ? 1 : 3);
    }

    private static Size size(List<ImageHeader> headers, ImageOptions options) {
        if (options.size().isPresent()) {
            return new Size(options.size().getAsInt(), options.size().getAsInt(), Optional.empty());
        }
        ImageHeader first = headers.get(0);
        boolean isOneSize = headers.stream().allMatch(first::isSizeOf);
        Optional<NetworkInput> network = options.network();
        if (isOneSize && network.filter(NetworkInput::isStated).isEmpty() && isSmall(first)) {
            return new Size(first.width(), first.height(), Optional.empty());
        }
        if (network.isPresent()) {
            int width = network.get().width();
            int height = network.get().height();
            boolean isFitting = isOneSize && first.width() == width && first.height() == height;
            return new Size(
                    width,
                    height,
                    isFitting
                            ? Optional.empty()
                            : Optional.of("the input of " + network.get().network()));
        }
        int side = Math.min(Math.min(median(headers).width(), median(headers).height()), LARGEST_DEFAULT);
        return new Size(side, side, Optional.of("the shorter side of the median, at most " + LARGEST_DEFAULT));
    }

    private static boolean isSmall(ImageHeader header) {
        return Math.max(header.width(), header.height()) <= ImageClasses.MAX_SIZE;
    }

    private static ImageHeader median(List<ImageHeader> headers) {
        int middle = headers.size() / 2;
        int[] widths = headers.stream().mapToInt(ImageHeader::width).sorted().toArray();
        int[] heights = headers.stream().mapToInt(ImageHeader::height).sorted().toArray();
        return new ImageHeader(widths[middle], heights[middle], false);
    }

    private static Optional<String> sizeNote(List<ImageHeader> headers, Size size) {
        return size.reason()
                .map(reason -> "%,d images of %s pixels: brought to %d x %d, %s (--image-size N for another size)"
                        .formatted(headers.size(), sizes(headers), size.width(), size.height(), reason));
    }

    private static String sizes(List<ImageHeader> headers) {
        long sizes = headers.stream().map(ImageHeader::size).distinct().count();
        Comparator<ImageHeader> byPixels = Comparator.comparingLong(header -> (long) header.width() * header.height());
        ImageHeader smallest = headers.stream().min(byPixels).orElseThrow();
        ImageHeader largest = headers.stream().max(byPixels).orElseThrow();
        return sizes == 1
                ? largest.size()
                : "%,d sizes, from %s to %s, median %s"
                        .formatted(
                                sizes,
                                smallest.size(),
                                largest.size(),
                                median(headers).size());
    }

    private static Optional<String> colourNote(List<ImageHeader> headers, int channels) {
        long grey = headers.stream().filter(ImageHeader::isGrey).count();
        if (channels == 1 && grey < headers.size()) {
            return Optional.of("%,d of %,d images are coloured: they become grey, as the network takes them"
                    .formatted(headers.size() - grey, headers.size()));
        }
        return channels > 1 && grey > 0
                ? Optional.of("%,d of %,d images are grey: their values are repeated as red, green and blue"
                        .formatted(grey, headers.size()))
                : Optional.empty();
    }
}
