package org.fleetgrad.evaluator.outcome;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.files.text.CsvCell;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.serving.evaluation.Evaluation;

/**
 * Writes evaluations into a file of comma-separated values (RFC 4180), one line each, without delay. Confined to one
 * thread.
 */
public final class OutcomeCsv implements Closeable {

    /**
     * The first line: accuracies as shares from 0 to 1, the mean cross-entropy, the number of samples, the duration in seconds;
     * of a text also its perplexity and its bits a character, of
     * numbers, of two classes and of labels their figures. What a question does not have is empty.
     */
    static final String HEAD =
            "name,generation,version,top1,top5,loss,samples,seconds,perplexity,bitsPerCharacter,r2,rmse,mae,auc,f1,precision,recall,microF1,macroF1,exactMatch,hammingLoss,macroAuc";

    private final Writer writer;

    private OutcomeCsv(Writer writer) {
        this.writer = writer;
    }

    /** Creates the file, or replaces it. */
    public static OutcomeCsv create(Path file) throws IOException {
        OutcomeCsv csv = new OutcomeCsv(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
        csv.line(HEAD);
        return csv;
    }

    /** Adds a line. */
    public void add(EvaluationOutcome outcome) throws IOException {
        Evaluation measured = outcome.evaluation();
        line(String.join(
                ",",
                CsvCell.of(outcome.name()),
                CsvCell.of(measured.version().generation()),
                Long.toString(measured.version().version()),
                cell(measured.accuracy()),
                cell(measured.accuracyTop5()),
                Double.toString(measured.loss()),
                Long.toString(measured.samples()),
                Double.toString(outcome.seconds()),
                cell(measured.perplexity()),
                cell(measured.bitsPerCharacter()),
                cell(measured.regression().flatMap(figures -> Optional.ofNullable(figures.r2()))),
                cell(measured.regression().map(RegressionFigures::rmse)),
                cell(measured.regression().map(RegressionFigures::mae)),
                cell(measured.binary().flatMap(figures -> Optional.ofNullable(figures.auc()))),
                cell(measured.binary().map(BinaryFigures::f1)),
                cell(measured.binary().map(BinaryFigures::precision)),
                cell(measured.binary().map(BinaryFigures::recall)),
                cell(measured.labels().map(LabelFigures::microF1)),
                cell(measured.labels().map(LabelFigures::macroF1)),
                cell(measured.labels().map(LabelFigures::exactMatch)),
                cell(measured.labels().map(LabelFigures::hammingLoss)),
                cell(measured.labels().flatMap(figures -> Optional.ofNullable(figures.macroAuc())))));
    }

    private static String cell(Optional<Double> value) {
        return value.map(known -> Double.toString(known)).orElse("");
    }

    private void line(String text) throws IOException {
        writer.write(text + "\n");
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
