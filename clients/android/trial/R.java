package com.example.weather;

/** The resources that the guides' classes use. */
public final class R {
    private R() {}

    public static final class layout {
        public static final int forecast = 1;
    }

    public static final class id {
        public static final int forecast = 1;
    }
}
