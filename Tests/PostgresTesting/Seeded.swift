// A suite that imports PostgresTesting gets `Seeded` with it: nearly all of them draw their cases.
@_exported public import SeededRandom
