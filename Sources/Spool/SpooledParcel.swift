package import CensusStore

/// A parcel as it lies in the spool.
package struct SpooledParcel: Sendable {
    /// Grows with every parcel that comes: the order.
    package var id: Int64
    package var content: Result<Parcel, Parcel.Unreadable>
    /// The version of the program that wrote it.
    package var program: String
    package var byteCount: Int
}
