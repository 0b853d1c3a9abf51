package androidx.work;

public interface Operation {}
