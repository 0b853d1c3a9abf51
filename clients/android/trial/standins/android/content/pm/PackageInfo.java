package android.content.pm;

public class PackageInfo {
    public String versionName = System.getProperty("version", "20.12");
    public long firstInstallTime = 1_790_000_000_000L;
    public long lastUpdateTime = firstInstallTime + (Boolean.getBoolean("updated") ? 1 : 0);
}
