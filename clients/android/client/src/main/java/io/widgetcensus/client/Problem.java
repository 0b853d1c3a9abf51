package io.widgetcensus.client;

import androidx.annotation.NonNull;

/** Something that went wrong. It contains neither the key nor the device's id. */
public final class Problem {
    public enum Kind {
        /** The disk or WorkManager failed, so an event is missing, or the user's decision was not stored. */
        NOT_STORED,
        /** The service did not accept the request. The client retries. */
        NOT_SENT,
        /** The service rejected the key. The events wait, and the next event retries. */
        KEY_NOT_ACCEPTED,
        /** The service will never accept this batch, so the client deleted it. */
        DROPPED,
        /** The service rejected events, so the client deleted them. Each reason is told once for each batch. */
        REFUSED
    }

    @NonNull public final Kind kind;
    /** The HTTP status, or 0 if there was no response. */
    public final int status;
    /** What the log says, with the beginning of the response, or with the code and message of the rejection. */
    @NonNull public final String message;

    Problem(Kind kind, int status, String message) {
        this.kind = kind;
        this.status = status;
        this.message = message;
    }

    @NonNull
    @Override
    public String toString() {
        return kind + ": " + message;
    }

    /** Gets the problems of the client, on any thread. */
    public interface Listener {
        void onProblem(@NonNull Problem problem);
    }
}
