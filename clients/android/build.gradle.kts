plugins {
    id("com.android.library") version "9.0.0" apply false
}
