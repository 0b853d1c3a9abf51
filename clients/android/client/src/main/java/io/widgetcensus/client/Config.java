package io.widgetcensus.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;

/** Where the client sends, and under which channel. */
public final class Config {
    final String url;
    final String key;
    /** Null for the default. */
    final String channel;
    final boolean isEnabled;
    final Problem.Listener listener;

    private Config(String url, String key, String channel, boolean isEnabled, Problem.Listener listener) {
        this.url = url.replaceAll("/+$", ""); // two slashes would be another path
        this.key = key;
        this.channel = channel;
        this.isEnabled = isEnabled;
        this.listener = listener;
    }

    Config withChannel(String channel) {
        return new Config(url, key, channel, isEnabled, listener);
    }

    public static final class Builder {
        private final String url;
        private final String key;
        private String channel;
        private boolean isEnabled = true;
        private Problem.Listener listener;

        /**
         * @param url the service's address, such as {@code https://census.example.com}
         * @param key a write key of the service for this app
         */
        public Builder(@NonNull String url, @NonNull String key) {
            this.url = url;
            this.key = key;
        }

        /** The service counts only the channel {@code production}. The default is {@code debug} if the app is debuggable, else that. */
        @NonNull
        public Builder channel(@Nullable String channel) {
            this.channel = channel;
            return this;
        }

        /** With false, no event is stored or sent. Events that wait are kept, and opting out and in still works. The default is true. */
        @NonNull
        public Builder enabled(boolean isEnabled) {
            this.isEnabled = isEnabled;
            return this;
        }

        /** Gets every problem, on the thread that has it. The log has them in any case. */
        @NonNull
        public Builder onProblem(@Nullable Problem.Listener listener) {
            this.listener = listener;
            return this;
        }

        @NonNull
        public Config build() {
            return new Config(url, key, channel, isEnabled, listener);
        }
    }
}
