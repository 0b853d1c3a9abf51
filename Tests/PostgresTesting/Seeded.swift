// A suite that imports PostgresTesting also gets `Seeded`, because most suites use random cases.
@_exported public import SeededRandom
