package android.util;

public class Log {
    public static int i(String tag, String message) {
        return w(tag, message);
    }

    public static int w(String tag, String message) {
        System.err.println(tag + ": " + message);
        return 0;
    }

    public static int w(String tag, String message, Throwable error) {
        return w(tag, message + ": " + error);
    }
}
