package org.fleetgrad.openwhisk.fake;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Starts the containers of an invoker: processes, threads or scripts. Called from several threads. */
@FunctionalInterface
public interface ContainerHost {

    /**
     * Starts a container, which may take some time until it listens.
     *
     * @param name        the name of the container, such as {@code wsk1_guest_worker}
     * @param image       the action's image
     * @param memoryMib   its memory limit
     * @param environment its environment variables: {@code __OW_API_HOST}
     */
    Container start(String name, String image, int memoryMib, Map<String, String> environment) throws IOException;

    /** One container, which serves {@code /init} and {@code /run} at its own address. */
    interface Container {

        /** Returns the address at which it listens or will listen: {@code http://127.0.0.1:40001}. */
        URI address();

        /** Freezes the container until it is resumed. */
        default void pause() {}

        /** Resumes the container. */
        default void resume() {}

        /** Kills the container at once. */
        void kill();

        /**
         * Returns and removes its output since the last call, each line as {@code stdout: LINE} or
         * {@code stderr: LINE}.
         */
        default List<String> takeLogs() {
            return List.of();
        }
    }
}
