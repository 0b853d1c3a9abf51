package androidx.work;

public class WorkerParameters {}
