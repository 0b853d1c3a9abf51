package com.example.widgetcensus;

/** The class as Android's build makes it for a release; the trial sets URL and key itself. */
final class BuildConfig {
    private BuildConfig() {}

    static final boolean DEBUG = false;
}
