package android.os;

public class Build {
    public static final String ID = System.getProperty("os_build", "UP1A.231005.007");

    public static class VERSION {
        public static final String RELEASE = System.getProperty("os_version", "14");
    }
}
