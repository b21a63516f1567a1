package org.fleetgrad.cli.options;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that was built, from the jar's manifest. */
public final class BuildVersion implements IVersionProvider {

    static String text() {
        return Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
                .orElse("unpackaged");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"fleetgrad " + text()};
    }
}
