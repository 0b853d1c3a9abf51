package com.example.widgetcensus;

/** As Android's build makes it for a release; the trial sets address and key itself. */
final class BuildConfig {
    private BuildConfig() {}

    static final boolean DEBUG = false;
}
