plugins { id("com.android.application") }

val versionMajor = 3

android {
    namespace = "com.example.harbour"
    defaultConfig {
        // applicationId = "com.example.commented"
        applicationId = Ids.APPLICATION
        versionName = "$versionMajor.${libs.versions.appMinor.get()}"
    }
    buildTypes {
        debug { applicationIdSuffix = ".debug" }
    }
}
