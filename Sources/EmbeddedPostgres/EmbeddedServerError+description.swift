#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

extension EmbeddedServerError {
    package var description: String {
        switch self {
        case .noPrograms(let searched):
            """
            PostgreSQL \(ServerPrograms.oldestMajor) or newer is not installed: no initdb, pg_ctl, postgres and psql \
            in \(searched.isEmpty ? "any known folder" : searched.joined(separator: ", ")). Install it (Debian, \
            Ubuntu: apt-get install postgresql) or name a database in DATABASE_URL.
            """
        case .noCluster(let folder):
            """
            There is no census in \(folder). Name its database (DATABASE_URL, or --config with the file that the service \
            reads), or its folder (--data-dir, CENSUS_DATA_DIR). A new one is made by serve and by apps add.
            """
        case .versionNotInstalled(let folder, let cluster, let installed):
            """
            The data in \(folder) belongs to PostgreSQL \(cluster), but installed is \
            \(installed.map(String.init).joined(separator: ", ")). Install version \(cluster) (Debian: apt-get install \
            postgresql-\(cluster)), or move the data to the new version with pg_upgrade.
            """
        case .pathTooLong(let folder, let bytes, let limit):
            """
            The data folder's path is too long for a unix socket: the socket in \(folder) would take \(bytes) bytes of \
            the \(limit) the system allows. Set CENSUS_DATA_DIR to a shorter path.
            """
        case .unusablePath(let folder, let character):
            """
            The data folder's path \(folder) contains \(String(character).debugDescription), which PostgreSQL's \
            programs cannot take. Set CENSUS_DATA_DIR to a path without it.
            """
        case .noAccount:
            """
            PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it as. \
            Create the user postgres, or start widget-census as another user than root.
            """
        case .noSetpriv:
            """
            PostgreSQL refuses to run as root, and setpriv, which starts it as another user, is missing. Install \
            util-linux, or start widget-census as another user than root.
            """
        case .cannotReach(let folder, let blocked, let account):
            """
            PostgreSQL runs as the user \(account) when widget-census is started by root, and \(account) may not enter \
            \(blocked) on the way to the data folder \(folder). Set CENSUS_DATA_DIR to a folder elsewhere, for example \
            /var/lib/widget-census, or allow it with chmod o+x \(blocked).
            """
        case .foreignFolder(let folder, let owner):
            """
            The data in \(folder) belongs to the user \(owner). Run the command as that user or as root, or set \
            CENSUS_DATA_DIR to a folder of your own.
            """
        case .notAFolder(let path):
            "\(path) is not a folder, and the private PostgreSQL's data need one. Set CENSUS_DATA_DIR to another path."
        default: faultDescription
        }
    }

    /// The cases in which the machine is at fault, not the set-up.
    private var faultDescription: String {
        switch self {
        case .file(let path, let action, let code):
            """
            Cannot \(action) \(path): \(String(cString: strerror(code))). \
            \(SystemFault.takesPerson(code) ? "Set CENSUS_DATA_DIR to a folder you may write to." : "Try again later.")
            """
        case .busy(let folder, let holder):
            """
            \(holder.map { "Process \($0)" } ?? "Another process") has been starting or stopping the database in \
            \(folder) for too long. Wait for it or end it, then try again.
            """
        case .held(let folder, let processes):
            """
            The database in \(folder) is held by process \(processes.map(String.init).joined(separator: ", ")), which \
            does not answer on the socket in that folder. End it (kill -INT), then try again.
            """
        case .cannotRun(let program, let code):
            "Cannot run \(program): \(String(cString: strerror(code)))."
        case .initdbFailed(let folder, let output):
            "PostgreSQL could not make its data folder \(folder). initdb said:\n\(output)"
        case .startFailed(let folder, let output, let log):
            """
            PostgreSQL did not start in \(folder). pg_ctl said:
            \(output)
            \(log.isEmpty ? "Its log says nothing." : "Its log ends with:\n" + log)
            """
        case .stopFailed(let folder, let output):
            "PostgreSQL in \(folder) did not stop; stop it with pg_ctl. pg_ctl said:\n\(output)"
        case .queryFailed(let errors):
            "The private PostgreSQL refused a command: \(errors)"
        default: "The private PostgreSQL failed."
        }
    }
}
