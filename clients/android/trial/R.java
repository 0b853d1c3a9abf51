package com.example.weather;

/** The resources that the classes in docs/guides/android.md use. */
final class R {
    private R() {}

    static final class layout {
        static final int forecast = 1;
    }

    static final class id {
        static final int forecast = 1;
    }
}
