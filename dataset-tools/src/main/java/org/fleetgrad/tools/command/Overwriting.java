package org.fleetgrad.tools.command;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Refuses to overwrite files unless {@code --force} is given. */
final class Overwriting {

    private Overwriting() {}

    static void refuseUnless(boolean isForced, Path folder, List<String> names) throws FileAlreadyExistsException {
        for (String name : names) {
            if (!isForced && Files.exists(folder.resolve(name))) {
                throw new FileAlreadyExistsException(folder.resolve(name).toString());
            }
        }
    }
}
