/// The size of PostgreSQL's lock table, which all sessions share.
///
/// A statement that can't tell which days it needs, such as one that folds a device from its first observation, locks every
/// day's partition and its two indexes. When the table is full it fails (53200), and so does anything else that needs a lock.
struct LockTable: Hashable, Sendable, Decodable {
    /// The worker of a cluster, with its port, whose table it is; nil: the server that we are connected to.
    var worker: String?
    /// `max_locks_per_transaction`.
    var perSession: Int
    /// `max_connections` and `max_prepared_transactions`.
    var sessions: Int
    /// Partitions a day, on a worker one for each of its shards.
    var shards = 1

    static let unknown = StoreError(.ours, "PostgreSQL did not report the size of its lock table")

    /// The table's entries per day. Five statements at once take three locks each, and lock holders are kept in a second
    /// table of twice the size: that makes 7.5, rounded up to leave a little for others.
    private static let perPartition = 8
    private var perDay: Int { LockTable.perPartition * max(1, shards) }
    /// Days created ahead, one extra day that is kept, six that are not dropped until all devices have been processed, and the
    /// partition for times outside all days.
    private static let beside = 16

    /// How many days of observations can be kept.
    var days: Int { max(1, perSession * sessions / perDay - LockTable.beside) }

    func tooFew(for days: Int) -> StoreError {
        let needed = ((days + LockTable.beside) * perDay + sessions - 1) / max(1, sessions)
        return StoreError(
            .request,
            "observations can't be kept for \(days) days on \(worker.map { "the worker \($0)" } ?? "this PostgreSQL"): each day is "
                + (shards > 1 ? "\(shards) partitions there" : "a partition")
                + ", and its lock table (max_locks_per_transaction is \(perSession), for \(sessions) sessions) has room for "
                + "\(self.days) days. Set max_locks_per_transaction to \(needed) or more and restart PostgreSQL, or keep fewer days"
        )
    }
}
