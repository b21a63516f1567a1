package org.fleetgrad.openwhisk.fake;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Starts what an invoker runs actions in: a process, a thread, a script. Asked from several threads. */
@FunctionalInterface
public interface ContainerHost {

    /**
     * Starts a container, which may take its time until it listens.
     *
     * @param name        the container's own, such as {@code wsk1_guest_worker}
     * @param image       the action's image
     * @param memoryMib   what it may use
     * @param environment what it finds in its environment: {@code __OW_API_HOST}
     */
    Container start(String name, String image, int memoryMib, Map<String, String> environment) throws IOException;

    /** One container, which serves {@code /init} and {@code /run} at an address of its own. */
    interface Container {

        /** Returns where it listens, or will: {@code http://127.0.0.1:40001}. */
        URI address();

        /** Freezes it: nothing in it moves until it is resumed. */
        default void pause() {}

        /** Lets it move again. */
        default void resume() {}

        /** Ends it at once, in whatever it does. */
        void kill();

        /** Takes what it printed since the last time, each line as {@code stdout: LINE} or {@code stderr: LINE}. */
        default List<String> takeLogs() {
            return List.of();
        }
    }
}
