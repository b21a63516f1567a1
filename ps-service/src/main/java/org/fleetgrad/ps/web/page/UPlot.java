package org.fleetgrad.ps.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The chart library: a jar on the class path, whose files are under a path with its version. */
final class UPlot {

    private static final String DESCRIPTION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

    private UPlot() {}

    /** Returns the resource path of a file of the library. */
    static String resource(String name) {
        return "/META-INF/resources/webjars/uplot/%s/dist/%s".formatted(version(), name);
    }

    private static String version() {
        try (InputStream in = UPlot.class.getResourceAsStream(DESCRIPTION)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the jar of uPlot is not on the class path: there is no " + DESCRIPTION);
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(DESCRIPTION + " cannot be read", unreadable);
        }
    }
}
