package android.content;

import java.util.HashMap;
import java.util.Map;

public class Intent {
    public static final int FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY = 1 << 20;
    private final Map<String, Integer> extras = new HashMap<>();
    private int flags;
    private String action;

    public Intent() {}

    public Intent(Context context, Class<?> component) {}

    public Intent putExtra(String name, int value) {
        extras.put(name, value);
        return this;
    }

    public int getIntExtra(String name, int otherwise) {
        return extras.getOrDefault(name, otherwise);
    }

    public Intent setAction(String action) {
        this.action = action;
        return this;
    }

    public String getAction() {
        return action;
    }

    public Intent setFlags(int flags) {
        this.flags = flags;
        return this;
    }

    public int getFlags() {
        return flags;
    }
}
