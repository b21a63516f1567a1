package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferPoolTest {

    @Test
    void shouldLendAgainWhatCameBack() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(2, 100);
        byte[] first = pool.take(40);

        pool.release(first);

        assertThat(pool.take(30)).as("it is long enough").isSameAs(first);
        assertThat(pool.take(30)).isNotSameAs(first).hasSize(30);
    }

    @Test
    void shouldKeepNoMoreBytesThanItMay() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(16, 100);
        byte[] first = pool.take(60);
        byte[] second = pool.take(60);

        pool.release(first);
        pool.release(second);

        assertThat(pool.take(60)).isSameAs(first);
        assertThat(pool.take(60)).isNotSameAs(second);
    }

    @Test
    void shouldHaveRoomAgainAfterItDroppedOrLent() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(16, 100);
        pool.release(new byte[101]);
        byte[] fits = new byte[100];

        pool.release(fits);
        assertThat(pool.take(100)).isSameAs(fits);
        pool.release(fits);
        assertThat(pool.take(100)).isSameAs(fits);
    }

    @Test
    void shouldKeepNoMoreBuffersThanItMay() {
        BufferPool<byte[]> pool = BufferPool.ofBytes(1, 100);
        byte[] first = new byte[10];

        pool.release(first);
        pool.release(new byte[10]);

        assertThat(pool.take(10)).isSameAs(first);
        assertThat(pool.take(10)).isNotSameAs(first);
    }
}
