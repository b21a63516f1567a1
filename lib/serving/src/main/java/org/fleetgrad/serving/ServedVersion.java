package org.fleetgrad.serving;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * A version that answers.
 *
 * @param version which one
 * @param network its network
 * @param classes name of each output's class, in order; their numbers, if they have no names
 */
public record ServedVersion(ParameterVersion version, ServedNetwork network, List<String> classes) {

    public ServedVersion {
        classes = List.copyOf(classes);
    }
}
