package android.os;

public class Build {
    public static final String ID = "UP1A.231005.007";

    public static class VERSION {
        public static final String RELEASE = "14";
    }
}
