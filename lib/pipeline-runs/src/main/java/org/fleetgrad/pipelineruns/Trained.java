package org.fleetgrad.pipelineruns;

import java.util.Optional;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/**
 * What a pipeline has trained up to a flush.
 *
 * @param flush   the last one that is complete
 * @param version its version on the server
 * @param seconds of training in this run
 * @param samples that were trained on in these seconds
 * @param figures of the stages
 * @param best    the server's figures when it reported the best evaluation
 */
record Trained(
        FlushRecord flush,
        ParameterVersion version,
        double seconds,
        long samples,
        RunFigures.Totals figures,
        Optional<StatusReply> best) {}
