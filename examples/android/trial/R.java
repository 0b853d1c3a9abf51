package com.example.widgetcensus;

/** The resources that the page's classes name. */
final class R {
    private R() {}

    static final class layout {
        static final int forecast = 1;
    }

    static final class id {
        static final int forecast = 1;
    }
}
