package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.cli.program.OtherProgram;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.text.HuggingFaceTokenizer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.SavedModel;
import org.fleetgrad.runs.shards.PreparedDataset;

/**
 * A file of ONNX, which the evaluator writes: it has libtorch, with which the file is compared.
 *
 * @param samples  on which it is compared
 * @param isForced whether existing files are overwritten
 */
record OnnxFile(ExportedModel model, SampleWords samples, boolean isForced) {

    /** Writes the file and, of a text, the tokenizer beside it; returns the exit code. */
    int write(Path out) throws RunFailedException, IOException, InterruptedException {
        Optional<byte[]> tokenizer = tokenizer();
        Path beside = out.resolveSibling(HuggingFaceTokenizer.FILE);
        boolean isThere = tokenizer.isPresent()
                && Files.isRegularFile(beside)
                && Arrays.equals(Files.readAllBytes(beside), tokenizer.get());
        if (tokenizer.isPresent() && !isThere && !isForced && Files.exists(beside)) {
            throw RunFailedException.input(
                    "%s is of another model; write to another folder, or pass --force to overwrite it"
                            .formatted(beside));
        }
        int code = compute(out);
        if (code == 0 && tokenizer.isPresent() && !isThere) {
            ModelFiles.write(beside, tokenizer.get());
        }
        return code;
    }

    private Optional<byte[]> tokenizer() throws IOException {
        return Optional.ofNullable(
                SavedModel.tokenizerFiles(model.parameters().metadata(), RunTokenizer.of(model.run()))
                        .get(HuggingFaceTokenizer.FILE));
    }

    private int compute(Path out) throws RunFailedException, IOException, InterruptedException {
        if (model.file().isPresent()) {
            return OtherProgram.evaluator().run(words(model.file().get(), out));
        }
        Path folder = Files.createTempDirectory("fleetgrad-export");
        Path parameters = SavedModel.file(folder);
        try {
            AtomicFile.write(parameters, Safetensors.encode(model.parameters()).array());
            return OtherProgram.evaluator().run(words(parameters, out));
        } finally {
            Files.deleteIfExists(parameters);
            Files.deleteIfExists(folder);
        }
    }

    private List<String> words(Path parameters, Path out) {
        List<String> words = new ArrayList<>(List.of("export", "--model=" + parameters, "--out=" + out));
        words.addAll(samples.words());
        boolean isNamed = samples.words().stream().anyMatch(word -> word.startsWith(SampleWords.DATA + "="));
        model.run()
                .filter(run -> !isNamed)
                .filter(run ->
                        Files.isRegularFile(run.resolve(PreparedDataset.FOLDER).resolve(ShardManifest.FILE_NAME)))
                .ifPresent(run -> words.add(SampleWords.DATA + "=" + run));
        return words;
    }
}
