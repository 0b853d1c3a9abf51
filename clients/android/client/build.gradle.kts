plugins {
    id("com.android.library")
    `maven-publish`
}

group = "io.widgetcensus"
version = "1.0.0"

android {
    namespace = "io.widgetcensus.client"
    compileSdk = 36

    defaultConfig {
        minSdk = 26
        consumerProguardFiles("consumer-rules.pro")
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
    // Not api: no class that apps call shows WorkManager's.
    implementation("androidx.work:work-runtime:2.9.1")
    compileOnly("androidx.annotation:annotation:1.9.1")
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
