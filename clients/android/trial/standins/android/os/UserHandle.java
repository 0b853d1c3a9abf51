package android.os;

public class UserHandle {}
