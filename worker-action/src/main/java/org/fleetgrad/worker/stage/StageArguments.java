package org.fleetgrad.worker.stage;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.pipeline.channel.socket.RunToken;

/**
 * The arguments of {@code worker-action stage}.
 *
 * @param driver where the driver of the run listens
 * @param listen address on which this process waits for the stage before
 * @param stages the stages of this process, from 0; several run as threads
 * @param token  the run's secret
 */
record StageArguments(InetSocketAddress driver, String listen, List<Integer> stages, RunToken token) {

    /** The environment variable with the run's secret: other users can read arguments. */
    static final String TOKEN = "FLEETGRAD_STAGE_TOKEN";

    private static final String DRIVER = "--driver";
    private static final String STAGES = "--stages";
    private static final String LISTEN = "--listen";
    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Reads the words after {@code stage}.
     *
     * @throws IllegalArgumentException if they are wrong; the message has the correct form
     */
    static StageArguments parse(List<String> words, Map<String, String> environment) {
        String driver = "";
        String stages = "";
        String listen = LOOPBACK;
        for (int at = 0; at < words.size(); at += 2) {
            String value = at + 1 < words.size() ? words.get(at + 1) : "";
            switch (words.get(at)) {
                case DRIVER -> driver = value;
                case STAGES -> stages = value;
                case LISTEN -> listen = value;
                default -> throw usage("'%s' is no option".formatted(words.get(at)));
            }
        }
        int colon = driver.lastIndexOf(':');
        if (colon < 1 || !driver.substring(colon + 1).matches("\\d{1,5}")) {
            throw usage("%s must be HOST:PORT; it is '%s'".formatted(DRIVER, driver));
        }
        if (!stages.matches("\\d{1,3}(,\\d{1,3})*")) {
            throw usage("%s must be numbers from 0, with commas between them; it is '%s'".formatted(STAGES, stages));
        }
        return new StageArguments(
                new InetSocketAddress(driver.substring(0, colon), Integer.parseInt(driver.substring(colon + 1))),
                listen,
                Arrays.stream(stages.split(",", -1)).map(Integer::valueOf).toList(),
                RunToken.parse(environment.getOrDefault(TOKEN, "")));
    }

    private static IllegalArgumentException usage(String wrong) {
        return new IllegalArgumentException(
                "%s. fleetgrad pipeline starts this program: stage %s HOST:PORT %s 0[,1...] [%s ADDRESS], with %s"
                        .formatted(wrong, DRIVER, STAGES, LISTEN, TOKEN));
    }
}
