package org.fleetgrad.tools.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.cifar.CifarFormat;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.NameFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.store.RemoteException;
import org.fleetgrad.tools.Progress;
import org.fleetgrad.tools.fetch.Fetch.FetchedFile;
import org.fleetgrad.tools.fetch.Mirror.Fault;
import org.fleetgrad.tools.fetch.PublishedDataset.PublishedFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FetchTest {

    private static final byte[] CONTENT = content();

    @TempDir
    private Path folder;

    private final List<Duration> pauses = new ArrayList<>();
    private Mirror mirror;

    @BeforeEach
    void startMirror() throws IOException {
        mirror = new Mirror().serve("a.gz", CONTENT);
    }

    @AfterEach
    void stopMirror() {
        mirror.close();
    }

    @Test
    void shouldFetchCheckAndPublish() throws IOException {
        List<FetchedFile> fetched = fetch();

        assertThat(fetched).containsExactly(new FetchedFile(file(), CONTENT.length, sha256(), false));
        assertThat(file()).hasBinaryContent(CONTENT);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a.gz", "dataset-name.txt");
        assertThat(NameFile.read(folder)).contains("tiny");
    }

    @Test
    void shouldNotFetchWhatIsThere() throws IOException {
        Files.write(file(), CONTENT);

        assertThat(fetch()).extracting(FetchedFile::isCached).containsExactly(true);
        assertThat(mirror.requests()).isEmpty();
    }

    @Test
    void shouldResumeThePartOfAnEarlierRun() throws IOException {
        Files.write(part(), Arrays.copyOf(CONTENT, 100_000));

        fetch();

        assertThat(mirror.requests()).containsExactly("/files/a.gz bytes=100000-");
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldPublishAPartThatIsWholeWithoutARequest() throws IOException {
        Files.write(part(), CONTENT);

        fetch();

        assertThat(mirror.requests()).isEmpty();
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldResumeWithinOneRunAfterTheConnectionBroke() throws IOException {
        mirror.misbehave(Fault.CUT_IN_HALF, Fault.HTTP_503, Fault.NONE);

        fetch();

        assertThat(file()).hasBinaryContent(CONTENT);
        assertThat(mirror.requests()).hasSize(3).first().isEqualTo("/files/a.gz");
        assertThat(mirror.requests().get(2)).startsWith("/files/a.gz bytes=");
        assertThat(pauses).containsExactly(Duration.ofMillis(10), Duration.ofMillis(20));
    }

    /** The timeout of the JDK's client ends with the head of an answer. */
    @Test
    void shouldResumeWhereAMirrorIsSilentInTheMiddle() throws Exception {
        mirror.misbehave(Fault.STALL);
        AtomicLong time = new AtomicLong();
        StalledTransferMonitor monitor = new StalledTransferMonitor(time::get);
        Fetch patient = new Fetch(retry(), Progress.SILENT, monitor);

        CompletableFuture<List<FetchedFile>> fetched = CompletableFuture.supplyAsync(() -> {
            try {
                return patient.fetch(dataset(), folder, false);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(part()) && Files.size(part()) == CONTENT.length / 2);
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            time.addAndGet(Duration.ofSeconds(10).toNanos());
            monitor.check();
            return mirror.requests().size() > 1;
        });

        assertThat(fetched).succeedsWithin(Duration.ofSeconds(60));
        assertThat(file()).hasBinaryContent(CONTENT);
        assertThat(mirror.requests().get(1)).startsWith("/files/a.gz bytes=");
    }

    @Test
    void shouldBeginAgainWhereTheServerIgnoresTheRange() throws IOException {
        Files.write(part(), new byte[1000]);
        mirror.misbehave(Fault.IGNORE_RANGE);

        fetch();

        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldBeginAgainAfter416() throws IOException {
        Files.write(part(), new byte[1000]);
        mirror.misbehave(Fault.HTTP_416);

        fetch();

        assertThat(mirror.requests()).containsExactly("/files/a.gz bytes=1000-", "/files/a.gz");
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldThrowAwayAPartThatIsTooLong() throws IOException {
        Files.write(part(), new byte[CONTENT.length + 1]);

        fetch();

        assertThat(mirror.requests()).containsExactly("/files/a.gz");
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldGiveUpAfterTheLastAttemptAndKeepThePart() {
        mirror.misbehave(Fault.CUT_IN_HALF, Fault.HTTP_503, Fault.HTTP_503, Fault.HTTP_503);

        assertThatThrownBy(this::fetch)
                .isInstanceOf(RemoteException.class)
                .hasMessageStartingWith(mirror.base() + "a.gz: 4 attempts failed, the last with: HTTP 503; ")
                .hasMessageEndingWith(" of 300000 bytes are kept; run the command again to resume");
        assertThat(part()).exists();
        assertThat(file()).doesNotExist();
        assertThat(pauses).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"HTTP_404", "TOO_MUCH"})
    void shouldNotTryAgainWhatCannotGetBetter(Fault fault) {
        mirror.misbehave(fault);

        assertThatThrownBy(this::fetch)
                .isInstanceOf(RemoteException.class)
                .hasMessage(
                        fault == Fault.HTTP_404
                                ? mirror.base()
                                        + "a.gz: the server answered HTTP 404; check the address, or use another mirror with --base-url"
                                : mirror.base()
                                        + "a.gz: the server sent more than the 300000 bytes of the published file; use another mirror with --base-url");
        assertThat(mirror.requests()).hasSize(1);
        assertThat(file()).doesNotExist();
    }

    @Test
    void shouldRefuseAnotherRangeThanAskedFor() throws IOException {
        Files.write(part(), Arrays.copyOf(CONTENT, 1000));
        mirror.misbehave(Fault.WRONG_RANGE);

        assertThatThrownBy(this::fetch)
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("asked for the bytes from 1000 on, the server sent Content-Range bytes 1001-");
    }

    @Test
    void shouldRefuseAnotherContent() {
        byte[] forged = CONTENT.clone();
        forged[5] ^= 1;
        mirror.serve("a.gz", forged);

        assertThatThrownBy(this::fetch)
                .isInstanceOf(RemoteException.class)
                .hasMessage(
                        "%sa.gz: the file has SHA-256 %s, the published file SHA-256 %s; use another mirror with --base-url"
                                .formatted(mirror.base(), Sha256.of(ByteBuffer.wrap(forged)), sha256()));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldReplaceAnotherFileOnlyWhenForced() throws IOException {
        Files.writeString(file(), "mine");

        assertThatThrownBy(this::fetch)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(file() + ": and is not the published file of tiny");
        assertThat(file()).hasContent("mine");

        new Fetch(retry(), Progress.SILENT).fetch(dataset(), folder, true);
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldLeaveAnArchiveThatIsReadAsItIs() throws IOException {
        byte[] archive = tinyCifar100();
        mirror.serve("cifar-100-binary.tar.gz", archive);
        PublishedFile file =
                new PublishedFile("cifar-100-binary.tar.gz", archive.length, Sha256.of(ByteBuffer.wrap(archive)));
        mirror.misbehave(Fault.CUT_IN_HALF);

        new Fetch(retry(), Progress.SILENT)
                .fetch(new PublishedDataset("cifar100", mirror.base(), List.of(file)), folder, false);

        ImageDataset dataset = (ImageDataset) DatasetFolder.read(folder, FolderOptions.NONE);
        assertThat(dataset.name()).isEqualTo("cifar100");
        assertThat(dataset.train().label(0)).isEqualTo(99);
        assertThat(dataset.classes().get(99)).isEqualTo("worm");
        assertThat(mirror.requests()).hasSize(2);
    }

    private static byte[] tinyCifar100() throws IOException {
        byte[] record = new byte[CifarFormat.CIFAR100.recordBytes()];
        record[1] = 99;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes), "UTF-8")) {
            for (String name : List.of("train.bin", "test.bin")) {
                TarArchiveEntry entry = new TarArchiveEntry("cifar-100-binary/" + name);
                entry.setSize(record.length);
                tar.putArchiveEntry(entry);
                tar.write(record);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldNotMixTwoDatasetsInOneFolder() throws IOException {
        NameFile.write(folder, "mnist");

        assertThatThrownBy(this::fetch)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(folder.resolve("dataset-name.txt") + ": and says that the folder has mnist, not tiny");
        assertThat(mirror.requests()).isEmpty();
    }

    @Test
    void shouldTellProgressInBytes() throws IOException {
        List<String> told = new ArrayList<>();
        new Fetch(retry(), new Recorder(told)).fetch(dataset(), folder, false);

        assertThat(told)
                .startsWith("begin a.gz 300000 B")
                .contains("reach 300000")
                .endsWith("end");
    }

    @Test
    void shouldPinEveryFileOfThePublishedDatasets() {
        assertThat(PublishedDataset.all())
                .extracting(PublishedDataset::name)
                .containsExactly("mnist", "fashion-mnist", "cifar10", "cifar100", "svhn");
        assertThat(PublishedDataset.all()).allSatisfy(dataset -> {
            assertThat(dataset.files()).isNotEmpty().allSatisfy(pinned -> {
                assertThat(pinned.bytes()).isPositive();
                assertThat(Sha256.isDigest(pinned.sha256())).isTrue();
            });
            assertThat(dataset.base().getPath()).endsWith("/");
            assertThat(PublishedDataset.named(dataset.name())).contains(dataset);
        });
    }

    @Test
    void shouldAttemptAtLeastOnce() {
        assertThatThrownBy(() -> new DownloadRetry(0, Duration.ZERO, pause -> {}))
                .hasMessage("at least 1 attempt is needed, not 0");
    }

    private record Recorder(List<String> told) implements Progress {

        @Override
        public void begin(String task, long total, String unit) {
            told.add("begin %s %d %s".formatted(task, total, unit));
        }

        @Override
        public void reach(long done) {
            told.add("reach " + done);
        }

        @Override
        public void end() {
            told.add("end");
        }
    }

    private List<FetchedFile> fetch() throws IOException {
        return new Fetch(retry(), Progress.SILENT).fetch(dataset(), folder, false);
    }

    private DownloadRetry retry() {
        return new DownloadRetry(4, Duration.ofMillis(10), pauses::add);
    }

    private PublishedDataset dataset() {
        return new PublishedDataset(
                "tiny", mirror.base(), List.of(new PublishedFile("a.gz", CONTENT.length, sha256())));
    }

    private static String sha256() {
        return Sha256.of(ByteBuffer.wrap(CONTENT));
    }

    private Path file() {
        return folder.resolve("a.gz");
    }

    private Path part() {
        return folder.resolve("a.gz.part");
    }

    private static byte[] content() {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        return content;
    }
}
