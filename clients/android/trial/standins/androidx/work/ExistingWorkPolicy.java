package androidx.work;

public enum ExistingWorkPolicy { REPLACE, KEEP, APPEND, APPEND_OR_REPLACE }
