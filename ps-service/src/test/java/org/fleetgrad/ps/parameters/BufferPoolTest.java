package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferPoolTest {

    @Test
    void shouldLendAgainWhatCameBack() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(2, 100);
        byte[] first = pool.take(40);

        pool.giveBack(first);

        assertThat(pool.take(30)).as("it is long enough").isSameAs(first);
        assertThat(pool.take(30)).isNotSameAs(first).hasSize(30);
    }

    @Test
    void shouldKeepNoMoreBytesThanItMay() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(16, 100);
        byte[] first = pool.take(60);
        byte[] second = pool.take(60);

        pool.giveBack(first);
        pool.giveBack(second);

        assertThat(pool.take(60)).isSameAs(first);
        assertThat(pool.take(60)).isNotSameAs(second);
    }

    @Test
    void shouldHaveRoomAgainAfterItDroppedOrLent() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(16, 100);
        pool.giveBack(new byte[101]);
        byte[] fits = new byte[100];

        pool.giveBack(fits);
        assertThat(pool.take(100)).isSameAs(fits);
        pool.giveBack(fits);
        assertThat(pool.take(100)).isSameAs(fits);
    }

    @Test
    void shouldKeepNoMoreBuffersThanItMay() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(1, 100);
        byte[] first = new byte[10];

        pool.giveBack(first);
        pool.giveBack(new byte[10]);

        assertThat(pool.take(10)).isSameAs(first);
        assertThat(pool.take(10)).isNotSameAs(first);
    }
}
