package com.example.weather;

/** The app's class, as Android's build makes it for a release. */
final class BuildConfig {
    private BuildConfig() {}

    static final boolean DEBUG = false;
}
