object Ids {
    const val APPLICATION = "com.example.harbour.android"
}
