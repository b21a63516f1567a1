package org.fleetgrad.openwhisk;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;

/**
 * The rule for names of images: {@code [registry/][prefix/]name[:tag][@digest]}, as OpenWhisk's {@code ExecManifest} reads
 * it. That is Docker's grammar with two exceptions: a controller refuses upper-case letters in a tag, and accepts no
 * {@code __} between two parts of a name.
 */
public final class ImageName {

    private static final String COMPONENT = "[a-z0-9]+(?:(?:[._]|-+)[a-z0-9]+)*";
    private static final Pattern GRAMMAR =
            Pattern.compile("(?<registry>(?:[A-Za-z0-9.-]*[.][A-Za-z0-9.-]*(?::[0-9]+)?|[A-Za-z0-9.-]+:[0-9]+)/)?"
                    + "(?<path>" + COMPONENT + "(?:/" + COMPONENT + ")*)"
                    + "(?::(?<tag>\\w[\\w.-]{0,127}))?(?:@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,})?");

    private ImageName() {}

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if a controller would refuse it; the message has the name, the rule and what to write
     */
    public static void require(String image) {
        Matcher name = GRAMMAR.matcher(image);
        if (name.matches()) {
            String tag = name.group("tag");
            if (tag != null && !tag.equals(lower(tag))) {
                throw new IllegalArgumentException(
                        "OpenWhisk takes no upper-case letter in an image's tag; it is '%s' in '%s': tag the image as '%s'"
                                .formatted(tag, image, image.replace(":" + tag, ":" + lower(tag))));
            }
            return;
        }
        String smaller = lower(image);
        if (!smaller.equals(image) && GRAMMAR.matcher(smaller).matches()) {
            throw new IllegalArgumentException(
                    "OpenWhisk takes lower-case letters in an image's name; it is '%s': name the image '%s'"
                            .formatted(image, smaller));
        }
        throw new IllegalArgumentException(
                "an image must be like prefix/name:tag; it is '%s'".formatted(Printable.text(image)));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
