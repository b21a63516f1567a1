package org.fleetgrad.benchmarks.training;

import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.runs.device.CudaLibrary;
import org.fleetgrad.runs.device.RunGpus;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.ProgramFolder;
import org.fleetgrad.runs.settings.DeviceSettings;

/** Measures a worker's arithmetic on a GPU, with the copies to it and from it, compared with the processor's. */
public record GpuThroughput(Workbench bench) {

    private static final String NAME = "gpu-resnet18";
    private static final String DEVICE = "cuda:0";
    private static final String BATCH = "128";
    private static final String THREADS = "2";
    private static final String SECONDS = "3";

    public Result measure() throws Exception {
        Map<String, String> library;
        try {
            RunGpus gpus = RunGpus.here(DeviceSettings.parse(DEVICE), System.getenv());
            bench.progress("gpu: resnet18 on %s", gpus);
            library = CudaLibrary.environment(
                    System.getenv(),
                    Programs.HOME,
                    ProgramFolder.jar(Programs.HOME, "benchmarks").resolveSibling("lib"));
        } catch (RunFailedException missing) {
            return Missing.skipped(NAME, String.valueOf(missing.getMessage()));
        }
        NetworkSpec spec = Networks.named("resnet18", List.of(3, 32, 32), 10).spec();
        bench.programs().makeRoomFor(spec.layout().byteLength());
        try (LineProcess gpu = bench.programs()
                        .startLikeWorker(NetworkCompute.class, library, spec.name(), BATCH, THREADS, DEVICE);
                LineProcess processor =
                        bench.programs().startLikeWorker(NetworkCompute.class, spec.name(), BATCH, THREADS)) {
            gpu.ask(SECONDS);
            processor.ask(SECONDS);
            Comparison.Pair pair = bench.compare(() -> gpu.askNumber(SECONDS), () -> processor.askNumber(SECONDS));
            return Figure.of(NAME, "forward and backward of resnet18 on a GPU, batches of 128, with all copies")
                    .ours(pair.ours(), "samples/s")
                    .rival(pair.other(), "the processor, 2 threads");
        }
    }
}
