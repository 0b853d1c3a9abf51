package android.content.pm;

public class ApplicationInfo {
    public static final int FLAG_DEBUGGABLE = 2;
    public int flags = Boolean.getBoolean("debuggable") ? FLAG_DEBUGGABLE : 0;
}
