package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.runs.process.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CommandLineTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldExplainEveryOptionAndExitCode() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "demo",
                        "train",
                        "status",
                        "ensemble",
                        "model",
                        "dataset",
                        "certificate",
                        "bench",
                        "Exit codes:",
                        "130",
                        "interrupted");

        assertThat(run("demo", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--data",
                        "--workers",
                        "--mode",
                        "--epochs",
                        "--target-accuracy",
                        "--keep",
                        "--json",
                        "--text",
                        "--prompt")
                .contains("default: 2", "Examples:");
    }

    @Test
    void shouldShowItsCommandsToAPersonWhoTypesNone() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString())
                .containsSubsequence(
                        "Commands:",
                        "  demo         Trains a small network on this machine and requests a prediction.",
                        "  train        ",
                        "  search       Tries values of options, and says which are the best.",
                        "  status       Shows the status of a running parameter server.",
                        "  model        ",
                        "  dataset      ",
                        "  predict      Asks a served model about an image, a row, a series or a text.",
                        "  policy       Shows or changes which version of a served model answers.",
                        "  certificate  ",
                        "  bench        ",
                        "Begin with: ./fleetgrad demo");
        assertThat(err.toString().lines()).hasSizeLessThan(42);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "train --worker 3|fleetgrad train: Unknown options: '--worker', '3'; did you mean --workers?|fleetgrad train",
                "demo --workers 0|fleetgrad demo: --workers must be from 1 to 256; it is 0|fleetgrad demo",
                "ensemble --port 70000|fleetgrad ensemble: --port must be from 0 to 65535; it is 70000|fleetgrad ensemble",
                "ensemble --timeout 2m|fleetgrad ensemble: --timeout must be from 1ms to 1m; it is 120000 ms|fleetgrad ensemble",
                "trian|fleetgrad: Unmatched argument at index 0: 'trian'; did you mean train?|fleetgrad",
                "model|fleetgrad model: a command is missing: list, show, export, pull or rollback|fleetgrad model",
                "dataset synth|fleetgrad dataset synth: Missing required option: '--out=DIR'|fleetgrad dataset synth",
                "dataset synth --out x --train 0|fleetgrad dataset synth: --train and --test must be 1 or more: 0 and 2000|fleetgrad dataset synth"
            })
    void shouldEndAWrongCommandLineWithItsErrorAndWhereHelpIs(String line, String error, String command) {
        assertThat(run(line.split(" "))).isEqualTo(2);

        assertThat(err.toString().lines()).containsExactly(error, "Try '%s --help'.".formatted(command));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldHaveTheCommandsOfDatasetToolsUnderItsOwnName() {
        assertThat(run("dataset", "--help")).isZero();
        assertThat(out.toString())
                .startsWith("Usage: fleetgrad dataset ")
                .contains("fetch", "synth", "shard", "verify", "upload", "presign", "list", "put-work")
                .contains("  fleetgrad dataset verify shards")
                .doesNotContain("dataset-tools");

        Path digits = folder.resolve("digits");
        assertThat(run("dataset", "synth", "--out", digits.toString(), "--train", "20", "--test", "10", "-q"))
                .isZero();
        assertThat(digits).isDirectoryContaining("glob:**train-images*");

        assertThat(run("dataset", "verify", digits.resolve("nowhere").toString()))
                .isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly("fleetgrad dataset verify: %s does not exist, or lacks what is needed; check the path"
                        .formatted(digits.resolve("nowhere")));
    }

    @Test
    void shouldHandEveryWordOfBenchToTheBenchmarksAndSayWhereTheyAreNotBuilt() {
        assertThat(run("bench", "--only", "training", "--help")).isEqualTo(4);
        assertThat(err.toString())
                .contains("benchmarks.jar is not built: start with the script ./fleetgrad, which builds it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers 0|--workers must be from 1 to 256; it is 0",
                "--dataset-name mine|--dataset-name, --image-size, --hold-out, --skip-broken, --tokenizer, --context and --target are for the dataset in --data; generated digits have a name and a size",
                "--data x --dataset-name ../x|a dataset's name must have 1 to 100 letters, digits, '.', '-' and '_'",
                "--data x --drop a|columns (--column, --drop) are of tables, which need --target COLUMN; 1 are named: a",
                "--data x --target y --column zip|a column and its kind are NAME:KIND, with the kinds number, category, date, drop; it is 'zip'",
                "--skip-broken|--dataset-name, --image-size, --hold-out, --skip-broken, --tokenizer, --context and --target are for the dataset in --data",
                "--data x --hold-out 1|a share to hold out must be above 0 and below 1; it is 1.0",
                "--data x --hold-out NaN|a share to hold out must be above 0 and below 1; it is NaN",
                "--data x --image-size 0|an image size must be 1 or more pixels; it is 0",
                "--network resnet20?classes=abc|--network: classes of resnet20 must be a number from 1 to 65536; it is 'abc'",
                "--epochs 0|--epochs must be 1 or more; it is 0",
                "--batch-size 0|--batch-size must be 1 or more; it is 0",
                "--update-interval 0|--update-interval must be 1 or more; it is 0",
                "--learning-rate 0|--learning-rate must be above 0; it is 0.0",
                "--momentum 1|--momentum must be from 0 to below 1; it is 1.0",
                "--optimizer sgd:momentum=0.5 --momentum 0.8|has momentum, and it is given a second time: 0.8",
                "--optimizer sgd:momentum=1.5|--optimizer: the momentum must be below 1; the optimizer is sgd:momentum=1.5",
                "--optimizer lion|there is no optimizer 'lion'",
                "--optimizer adam --momentum 0.5|--optimizer: the optimizer 'adam' has no momentum: write sgd:momentum=0.9",
                "--optimizer adamw --nesterov|--optimizer: the optimizer 'adamw' has no nesterov",
                "--nesterov --momentum 0|--optimizer: Nesterov momentum needs a momentum of more than 0 and a dampening of 0; they are 0.0 and 0.0",
                "--weight-decay -1|--optimizer: weight decay must be 0 or more and finite; it is -1.0",
                "--weight-decay NaN|--weight-decay must be a finite number, 0 or more; it is NaN",
                "--weight-decay-matrices-only|--optimizer: the optimizer 'sgd' needs a weight decay above 0 for matrices-only",
                "--learning-rate-schedule linear|there is no schedule 'linear': write constant, cosine, cosine:total=90,minimum=0.001, step:every=30,gamma=0.1",
                "--learning-rate-schedule cosine:minimum=0.5|the minimum of --learning-rate-schedule cosine:minimum=0.5 must not be more than --learning-rate, which is 0.01",
                "--warmup 21|--warmup must be from 0 to --epochs, which is 20; it is 21.0",
                "--warmup -1|--warmup must be from 0 to --epochs, which is 20; it is -1.0",
                "--local-steps 0|--local-steps must be from 1 to 1000000; it is 0",
                "--inner-optimizer sgd|--inner-optimizer and --inner-learning-rate are options of --local-steps, which is 1: write 2 or more, or leave them out",
                "--local-steps 8 --inner-learning-rate 0|--inner-learning-rate: the inner learning rate must be a finite number above 0; it is 0.0",
                "--local-steps 8 --inner-optimizer lion|--inner-optimizer: there is no optimizer 'lion': write sgd:momentum=0.9,nesterov=true, adam:beta2=0.99 or adamw:weight-decay=0.05",
                "--local-steps 8 --overlap|--overlap computes while a gradient is in flight, and --local-steps pushes so rarely that there is little to gain; leave one of them out",
                "--clip-norm -1|--clip-norm must be 0 or more; it is -1.0",
                "--label-smoothing 1|--label-smoothing must be from 0 to below 1; it is 1.0",
                "--class-weights cat=-1|--class-weights: write balanced, or weights of classes that are 0, or from 1e-9 to 1e9, such as cat=1,dog=4.5; one is 'cat=-1'",
                "--sampling even|--sampling must be shuffled or balanced; it is 'even'",
                "--class-weights cat=NaN|one is 'cat=NaN'",
                "--max-steps 0|--max-steps must be 1 or more; it is 0",
                "--patience 0|--patience: the patience must be above 0 epochs; it is 0.0",
                "--patience 1 --min-delta -1|--patience: the smallest improvement must be 0 or more; it is -1.0",
                "--min-delta 0.1|--min-delta is an option of --patience",
                "--best|--best is an option of --from RUN: the best version has no state of the training to go on from with --resume",
                "--from nowhere --best|--from: nowhere has kept no best version: pass the folder of a run whose versions were evaluated, or a file without --best",
                "--checkpoint-every 0|there must be 1 step or more between two checkpoints; there are 0",
                "--checkpoint-every soon|soon' is neither a duration such as 30s nor a number of steps such as 500",
                "--checkpoint-every 5s --durability none|--checkpoint-every is an option of --durability checkpoint and journal; the durability is none",
                "--staleness look-ahead --optimizer adam|--staleness: look-ahead looks ahead along the momentum of SGD, the optimizer is adam: write SGD with a momentum, or the rule gap-aware",
                "--staleness damped --optimizer adamw|--staleness: damped scales gradients, but adamw divides the scale out again: write SGD, or the rule gap-aware",
                "--staleness look-ahead --nesterov|--staleness: look-ahead already is Nesterov's momentum, the optimizer is sgd:momentum=0.9,nesterov=true",
                "--staleness look-ahead-slim --weight-decay 0.1|--staleness: look-ahead-slim keeps the momentum at the workers, and the weight decay of 0.1 would not enter it: write a weight decay of 0, or the rule look-ahead",
                "--seed -1|--seed must be 0 or more; it is -1",
                "--target-accuracy 1.5|--target-accuracy must be above 0 and up to 1; it is 1.5",
                "--target-r2 0|--target-r2 must be above 0 and up to 1; it is 0.0",
                "--target-loss NaN|--target-loss must be above 0; it is NaN",
                "--data x --target a --target a|the target 'a' is named twice",
                "--data x --target a --target b --drop b|the target 'b' must be a number or a category; it is to be dropped",
                "--target-micro-f1 1.5|--target-micro-f1 must be above 0 and up to 1; it is 1.5",
                "--target-loss 1 --target-r2 0.9|--target-accuracy, --target-loss, --target-r2 and --target-micro-f1 exclude each other",
                "--train-samples 1|--train-samples must be 10 or more; it is 1",
                "--test-samples 1|--test-samples must be 10 or more; it is 1",
                "--mode async:gradients=2 --staleness gap-aware|--staleness: the staleness rule gap-aware knows one worker's gradient a step: write gradients=1",
                "--mode half|--mode: there is no mode 'half': write async",
                "--backup-workers 2 --mode sync|--backup-workers must be from 0 to below --workers, which is 2; the mode is sync:backup-workers=2",
                "--backup-workers -1 --mode sync|--mode: backup-workers is a whole number from 0 to 2147483647; it is -1.0",
                "--backup-workers 1|--mode: the mode 'async' has no backup-workers",
                "--mode sync:samples=96 --backup-workers 1|--mode: the mode 'sync:samples=96' needs either samples, or workers or backup-workers",
                "--aggregation median|--mode: the aggregation median needs the mode sync without samples; the mode is async",
                "--aggregation best --mode sync|--aggregation: there is no aggregation 'best': write mean, median",
                "--outliers 2 --mode sync|--aggregation: the aggregation 'mean' has no outliers",
                "--aggregation krum --outliers 0 --mode sync|--aggregation: outliers must be 1 or more; it is 0",
                "--max-lead 1|--mode: the mode 'async' has no max-lead",
                "--max-lead -1 --mode ssp|--mode: max-lead is a whole number from 0 to 2147483647; it is -1.0",
                "--staleness gap-aware --mode sync|--staleness gap-aware has no effect with --mode sync, in which no gradient is stale",
                "--staleness look-ahead --momentum 0|--staleness: look-ahead needs a momentum of more than 0; it is 0.0",
                "--staleness stale|there is no staleness rule 'stale'",
                "--durability forever|forever",
                "--encoding zip|--encoding: there is no encoding 'zip'; there are f32, f16, bf16, i8, topk, 2bit",
                "--encoding topk:0|--encoding: the ratio of the encoding topk is above 0 and at most 1; not 0.0",
                "--pull-encoding topk|--pull-encoding: parameters travel as f32, f16, bf16, i8; not as 'topk'",
                "--overlap --mode sync|--overlap computes on a version that is not the newest, and --mode sync takes no other",
                "--lease 99ms|--lease must be 100ms or more; it is 99ms",
                "--lease 30|is not a duration; write one such as 500ms, 30s, 10m, 12h or 2d",
                "--no-such-option|Unknown option"
            })
    void shouldRefuseAWrongOptionAsUsage(String options, String message) {
        String[] arguments = ("demo " + options).split(" ");

        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldSayWhatResumeScheduleAndRateDoInEachCommand() {
        assertThat(help("train"))
                .contains("--resume=RUN|CHECKPOINTS Go on from the state of a run", "--from=FILE Begin with the values")
                .contains("--learning-rate-schedule=SCHEDULE Schedule of the learning rate")
                .contains("With N workers, gradients become about N steps staler");
        assertThat(help("pipeline"))
                .contains("--resume=RUN Go on from the state of a run", "--from=FILE Begin with the values")
                .contains("--learning-rate-schedule=SCHEDULE Schedule of the learning rate")
                .contains("--pipeline-schedule=NAME Schedule of the pipeline");
        assertThat(help("load")).contains("--rate=R Requests per second");
    }

    private String help(String command) {
        out.getBuffer().setLength(0);
        assertThat(run(command, "--help")).isZero();
        return out.toString().replaceAll("\\s+", " ");
    }

    @Test
    void shouldListEveryInvoker() {
        assertThat(run("train", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains(
                        "local, processes of this machine; docker, containers of",
                        "openwhisk, activations of an OpenWhisk action");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--invoker cloud|cloud",
                "--device tpu|--device: must be cpu, cuda for all GPUs, cuda:0 for one, or cuda:0,cuda:2 for several; it is 'tpu'",
                "--memory 256m|--memory, --activation-limit and --image are options of --invoker docker and openwhisk; the invoker is local",
                "--invoker docker --action a|--action, --action-kind and --server-address are options of --invoker openwhisk; the invoker is docker",
                "--action-kind java|--action, --action-kind and --server-address are options of --invoker openwhisk; the invoker is local",
                "--invoker openwhisk|--invoker openwhisk needs --server-address",
                "--invoker docker --memory 128m|--memory must be 134m or more, which a worker takes before its network; it is 128m",
                "--invoker docker --memory lots|is not a size; write one such as 256m or 1g",
                "--invoker openwhisk --server-address 10.0.0.1 --action a/b/c|--action: an action's name must be NAME or PACKAGE/NAME, each of up to 256 letters, digits and _ @ . & -; it is 'a/b/c'",
                "--invoker openwhisk --server-address 10.0.0.1 --image f/w:1-SNAPSHOT|--image: OpenWhisk takes no upper-case letter in an image's tag; it is '1-SNAPSHOT' in 'f/w:1-SNAPSHOT': tag the image as 'f/w:1-snapshot'",
                "--invoker docker --activation-limit 1s|--activation-limit must be 5s or more, or a worker has no time to train; it is 1000ms"
            })
    void shouldRefuseAWrongInvokerAsUsage(String options, String message) {
        String[] arguments = ("train " + options).split(" ");

        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--elastic --workers 1|--elastic needs --workers above 1, the largest number of workers; it is 1",
                "--elastic-share 0.3|--elastic-share is an option of --elastic",
                "--elastic --elastic-share 0|--elastic-share must be above 0 and up to 1; it is 0.0",
                "--gb-second-price -1|--gb-second-price must be 0 or more; it is -1.0",
                "--activation-price NaN|--activation-price must be 0 or more; it is NaN",
                "--machine-hour-price Infinity|--machine-hour-price must be 0 or more; it is Infinity",
                "--baseline --baseline-from x|--baseline trains a baseline, --baseline-from takes an earlier run: pass one of them"
            })
    void shouldRefuseAWrongFleetOrReportAsUsage(String options, String message) {
        String[] arguments = ("train " + options).split(" ");

        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldSayInOneLineWhatABucketWants() {
        assertThat(run("train", "--out", folder.resolve("run").toString(), "--store", "s3:x"))
                .isEqualTo(3);
        assertThat(err.toString()).contains("fleetgrad: --store s3:x: a bucket is written s3://bucket/prefix");
    }

    @Test
    void shouldListTheStalenessRulesAsTheyAreWritten() {
        assertThat(run("train", "--help")).isZero();

        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("none, damped, delay-compensated, adaptive-delay-compensated, gap-aware, look-ahead,")
                .contains("look-ahead-slim (default: look-ahead where gradients are stale")
                .contains("--resume=RUN|CHECKPOINTS", "--durability=MODE", "--lease=DURATION");
    }

    @Test
    void shouldSayInOneLineThatThereIsNothingToResumeFrom() {
        assertThat(run("train", "--resume", "nowhere")).isEqualTo(3);
        assertThat(err.toString()).isEqualToIgnoringNewLines("fleetgrad: --resume nowhere: there is no such folder");
    }

    @Test
    void shouldNotGoOnWithAnEarlierRunUnasked() throws Exception {
        Files.createDirectories(folder.resolve("checkpoints/checkpoint-000001"));

        assertThat(run("train", "--out", folder.toString())).isEqualTo(3);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "fleetgrad: --out %s has the checkpoints of an earlier run: pass another folder, or --resume %s to continue that run"
                                .formatted(folder, folder));
    }

    @Test
    void shouldSayInOneLineThatTheServerCannotBeReached() throws Exception {
        String nobody = "http://127.0.0.1:" + Ports.free();

        assertThat(run("status", "--server", nobody)).isEqualTo(4);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("fleetgrad: GET " + nobody + "/status failed at try 1");
    }

    @Test
    void shouldRefuseAnAddressThatIsNone() {
        assertThat(run("status", "--server", "localhost")).isEqualTo(3);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("fleetgrad: --server must be like http://host:29500; it is 'localhost'");
    }

    private int run(String... arguments) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
