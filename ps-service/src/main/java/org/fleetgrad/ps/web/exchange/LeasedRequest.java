package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request whose bytes keep its worker's lease running as they come. So an upload may take longer than a lease. It is
 * bounded nevertheless: each renewal costs {@value #RENEWAL_BYTES} bytes, and a body has no more bytes than it announced.
 * Belongs to the request's thread.
 */
final class LeasedRequest extends HttpServletRequestWrapper {

    /** Bytes that renew the lease once: with the default lease of 30 s, less than 2.2 KB/s keeps nobody a member. */
    static final int RENEWAL_BYTES = 1 << 16;

    private @Nullable Runnable renewal;
    private @Nullable Leased body;

    LeasedRequest(HttpServletRequest request) {
        super(request);
    }

    /** From here on, bytes that come are {@code renewal}'s; before this it is not known whose they are. */
    void renewBy(Runnable known) {
        renewal = known;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (body == null) {
            body = new Leased(super.getInputStream());
        }
        return body;
    }

    private final class Leased extends ServletInputStream {
        private final ServletInputStream in;
        private long sinceRenewal;

        Leased(ServletInputStream in) {
            this.in = in;
        }

        private int came(int count) {
            Runnable known = renewal;
            sinceRenewal += Math.max(0, count);
            if (known != null && sinceRenewal >= RENEWAL_BYTES) {
                sinceRenewal = 0;
                known.run();
            }
            return count;
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            int unused = came(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            return came(in.read(bytes, from, count));
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            return came(in.read(buffer));
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
