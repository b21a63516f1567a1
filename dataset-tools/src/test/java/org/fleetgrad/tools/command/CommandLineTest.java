package org.fleetgrad.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.fleetgrad.store.RemoteException;
import org.fleetgrad.tools.DatasetTools;
import org.fleetgrad.tools.command.Errors.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"fetch", "synth", "shard", "verify", "upload", "presign", "list", "put-work"})
    void shouldHelpWithExamplesAndExitCodes(String command) {
        Cli help = Cli.run(command, "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains("Usage: dataset-tools " + command)
                .contains("Example")
                .contains("  dataset-tools " + command + " ")
                .containsSubsequence("Exit codes:", "0", "done", "3", "invalid", "4", "network", "130", "interrupted");
        assertThat(help.err()).isEmpty();
    }

    @Test
    void shouldTellItsVersion() {
        assertThat(Cli.run("--version").out()).startsWith("dataset-tools ");
        assertThat(Cli.run("verify", "--version").out()).startsWith("dataset-tools ");
    }

    @Test
    void shouldListItsCommands() {
        assertThat(Cli.run("--help").out())
                .contains("fetch", "synth", "shard", "verify", "upload", "presign", "list", "put-work", "Exit codes:");
        assertThat(DatasetTools.named(DatasetTools.NAME).getSubcommands()).hasSize(9);
    }

    @Test
    void shouldCallWrongUsageByItsCode() {
        assertThat(Cli.run().exitCode()).isEqualTo(2);
        assertThat(Cli.run("frobnicate").exitCode()).isEqualTo(2);
        assertThat(Cli.run("synth").err()).contains("Missing required option: '--out=DIR'");
        assertThat(Cli.run("synth", "--out", folder, "--train", "x").exitCode()).isEqualTo(2);
        assertThat(Cli.run("synth", "--out", folder, "--train", 0).err())
                .contains("--train and --test must be 1 or more: 0 and 2000");
    }

    @Test
    void shouldEndAWrongCommandLineWithItsErrorAndWhereHelpIs() {
        assertThat(Cli.run("shard", "data", "--shard", 3).err().lines())
                .containsExactly(
                        "dataset-tools shard: Missing required options: '--out=DIR', '--shards=N'",
                        "Try 'dataset-tools shard --help'.");
        assertThat(Cli.run("verfiy", "x").err().lines())
                .containsExactly(
                        "dataset-tools: Unmatched arguments from index 0: 'verfiy', 'x'; did you mean verify?",
                        "Try 'dataset-tools --help'.");
        assertThat(Cli.run().err().lines())
                .containsExactly(
                        "dataset-tools: a command is missing: fetch, synth, shard, verify, upload, presign, list, put-work, help",
                        "Try 'dataset-tools --help'.");
    }

    @Test
    void shouldShowStackTracesOnlyWhenAsked() {
        Path missing = folder.resolve("missing");

        Cli brief = Cli.run("verify", missing);
        Cli verbose = Cli.run("verify", missing, "-v");

        assertThat(brief.exitCode()).isEqualTo(3);
        assertThat(brief.err().lines())
                .containsExactly("dataset-tools verify: %s does not exist, or lacks what is needed; check the path"
                        .formatted(missing));
        assertThat(brief.out()).isEmpty();
        assertThat(verbose.err()).contains("NoSuchFileException", "\tat ");
    }

    @Test
    void shouldMapFailuresToExitCodes() {
        assertThat(Failure.of(new RemoteException("down"))).isEqualTo(new Failure(4, "down"));
        assertThat(Failure.of(new IOException("disk"))).isEqualTo(new Failure(3, "reading or writing failed: disk"));
        assertThat(Failure.of(new AccessDeniedException("f")))
                .isEqualTo(new Failure(3, "f may not be accessed; check its permissions"));
        assertThat(Failure.of(new FileAlreadyExistsException("f")))
                .isEqualTo(new Failure(3, "f exists already; pass --force to overwrite it"));
        assertThat(Failure.of(new FileSystemException("f", null, "no space")))
                .isEqualTo(new Failure(3, "f cannot be read or written: no space"));
        assertThat(Failure.of(new IllegalStateException("bug")))
                .isEqualTo(new Failure(1, "java.lang.IllegalStateException: bug; run again with -v and report it"));
    }

    @Test
    void shouldRefuseFetchesOfTheUnknown() {
        Cli unknown = Cli.run("fetch", "imagenet", "--out", folder);
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err())
                .contains(
                        "'imagenet' is not a known dataset; known are [mnist, fashion-mnist, cifar10, cifar100, svhn]");

        Cli file = Cli.run("fetch", "mnist", "--out", folder, "--base-url", "file:///etc/");
        assertThat(file.exitCode()).isEqualTo(2);
        assertThat(file.err()).contains("--base-url must be an http or https address, not 'file:///etc/'");
        assertThat(folder).isEmptyDirectory();
    }
}
