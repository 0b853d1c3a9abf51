internal import CensusCore
internal import Crypto

/// A person who reads the reports by SQL: a role of the PostgreSQL server, in the group `widget_census_analyst`.
package struct Analyst: Hashable, Sendable, Decodable {
    package var name: String
    package var sessions: Int

    /// - Throws: ``StoreError`` with fault `request` for a name that would need quotes or is reserved by PostgreSQL.
    static func check(_ name: String) throws(StoreError) {
        guard name.wholeMatch(of: /[a-z_][a-z0-9_]{0,62}/) != nil, !name.hasPrefix("pg_"), !reserved.contains(name)
        else {
            throw StoreError(
                .request,
                "an analyst's name must have 1 to 63 characters from a-z, 0-9 and _, must not begin with a digit or pg_, and "
                    + "must not be a reserved name such as public")
        }
    }

    private static let reserved: Set = [
        "public", "none", "current_role", "current_user", "session_user", "user", "widget_census_analyst",
    ]

    /// 192 random bits.
    static func password() -> String {
        SymmetricKey(size: .bits192).withUnsafeBytes { Array($0) }.hexadecimal
    }
}
