package org.fleetgrad.e2e.javakind;

/**
 * A {@code /run} of the tests.
 *
 * @param value     the parameters, as JSON; {@code SERVER} and {@code SHARD} stand for the parameter server and a shard
 * @param inSeconds how far away the deadline is
 */
record Run(String value, int inSeconds) {

    private static final int USUAL = 300;

    static Run of(String value) {
        return new Run(value, USUAL);
    }

    /** Trains on the shard. */
    static Run training(int epochs) {
        return of("""
                {"apihost":"SERVER","dataset_url":"SHARD","batch_sz_train":32,"update_intv":1,"epoch_n":%d,"worker":"w"}""".formatted(epochs));
    }

    Run before(int seconds) {
        return new Run(value, seconds);
    }

    /** Returns the body, with the members that OpenWhisk sends. */
    String body(String server, String shard) {
        return """
                {"action_name":"/guest/train","action_version":"0.0.1","activation_id":"77c8","deadline":"%d","namespace":"guest",\
                "transaction_id":"t1","value":%s}""".formatted(
                        System.currentTimeMillis() + inSeconds * 1000L,
                        value.replace("SERVER", server).replace("SHARD", shard));
    }
}
