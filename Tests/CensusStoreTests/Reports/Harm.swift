import CensusStore

/// Damage that makes a claim of a report's checks false, in a database that ``FilledLedger`` filled.
struct Harm {
    /// Nil if only a wrong view can make the claim false.
    var script: String?

    /// Reads the comment above the claim in `checks.sql`. Claims that every report has need none.
    ///
    /// - Returns: nil without a comment.
    init?(_ check: ReportCheck) throws {
        let said = try ReportFolder.all.first { $0.name == check.report }?.harms()[check.claim]
        switch said {
        case "none but a wrong view": break
        case let harm?: script = harm
        case nil where check.claim.hasPrefix("one row per "):
            // Two apps with one name. A view that groups by the name instead of the app's number would hide them.
            script = "update census.app set app_id = 'com.example.weather'"
        case nil where check.claim == "only closed days are counted":
            script = "delete from census.closed_day where app_number = 1"
        default: return nil
        }
    }

    /// Drops the constraints that prevent such damage.
    static let unbound = """
        do $$
        declare
            bound record;
        begin
            for bound in
                select
                    conrelid::regclass as held,
                    conname
                from pg_constraint
                where connamespace = 'census'::regnamespace
                    and conrelid <> 0
                    and contype in ('c', 'u')
                    and coninhcount = 0
            loop
                execute format('alter table %s drop constraint %I', bound.held, bound.conname);
            end loop;
        end $$;

        """
}

extension ReportFolder {
    /// By claim: `-- Harm: STATEMENT` above it, on one line or on several.
    fileprivate func harms() throws -> [String: String] {
        let claims = try text("checks.sql").matches(
            of: /(?m)^-- Harm: (.*\n(?:--   .*\n)*)select\n    '(?:fail|warn)' as severity,\n    '(.*)' as claim,$/)
        return Dictionary(
            uniqueKeysWithValues: claims.map { claim in
                let lines = claim.1.split(separator: "\n").map { $0.trimmingPrefix("--   ") }
                return (String(claim.2), lines.joined(separator: "\n"))
            })
    }
}
