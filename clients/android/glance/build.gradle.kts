// Needs the Kotlin that the Android Gradle plugin 9 has built in. docs/guides/android.md says what to add with version 8.
plugins {
    id("com.android.library")
    `maven-publish`
}

group = "io.widgetcensus"
version = "1.0.0"

android {
    namespace = "io.widgetcensus.glance"
    compileSdk = 36

    defaultConfig {
        minSdk = 26
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }

    publishing {
        singleVariant("release") {
            withSourcesJar()
        }
    }
}

dependencies {
    api(project(":widget-census"))
    api("androidx.glance:glance-appwidget:1.1.1")
}

publishing {
    publications {
        register<MavenPublication>("release") {
            afterEvaluate {
                from(components["release"])
            }
        }
    }
}
