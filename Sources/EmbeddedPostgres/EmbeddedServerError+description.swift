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
            PostgreSQL \(ServerPrograms.oldestMajor) or newer is not installed: initdb, pg_ctl, postgres and psql \
            were not found in \(searched.isEmpty ? "any known folder" : searched.joined(separator: ", ")). Install it (Debian, \
            Ubuntu: apt-get install postgresql) or name a database in DATABASE_URL.
            """
        case .noCluster(let folder):
            """
            There is no census in \(folder). Name its database (DATABASE_URL, or --config with the service's settings file) \
            or its folder (--data-dir, CENSUS_DATA_DIR). To create a new one, run serve or apps add.
            """
        case .versionNotInstalled(let folder, let cluster, let installed):
            """
            The data in \(folder) needs PostgreSQL \(cluster), but only these versions are installed: \
            \(installed.map(String.init).joined(separator: ", ")). Install version \(cluster) (Debian: apt-get install \
            postgresql-\(cluster)), or move the data to the new version with pg_upgrade.
            """
        case .pathTooLong(let folder, let bytes, let limit):
            """
            The data folder's path is too long for a unix socket: the path of the socket in \(folder) has \(bytes) bytes, and \
            the system allows \(limit). Set CENSUS_DATA_DIR to a shorter path.
            """
        case .unusablePath(let folder, let character):
            """
            The data folder's path \(folder) contains \(String(character).debugDescription), which PostgreSQL's \
            programs can't handle. Set CENSUS_DATA_DIR to a path without it.
            """
        case .noAccount:
            """
            PostgreSQL refuses to run as root, and neither of the users "postgres" and "nobody" exists to run it as. \
            Create the user postgres, or start widget-census as a user other than root.
            """
        case .noSetpriv:
            """
            PostgreSQL refuses to run as root, and setpriv, which starts it as another user, is missing. Install \
            util-linux, or start widget-census as a user other than root.
            """
        case .cannotReach(let folder, let blocked, let account):
            """
            When root starts widget-census, PostgreSQL runs as the user \(account), who has no permission to enter \(blocked) \
            on the path of the data folder \(folder). Set CENSUS_DATA_DIR to another folder, for example \
            /var/lib/widget-census, or allow it with chmod o+x \(blocked).
            """
        case .foreignFolder(let folder, let owner):
            """
            The data in \(folder) belongs to the user \(owner). Run the command as that user or as root, or set \
            CENSUS_DATA_DIR to a folder of your own.
            """
        case .notAFolder(let path):
            "\(path) is not a folder, and the private PostgreSQL needs one for its data. Set CENSUS_DATA_DIR to another path."
        default: faultDescription
        }
    }

    /// The cases caused by the machine, not by the configuration.
    private var faultDescription: String {
        switch self {
        case .file(let path, let action, let code):
            """
            Can't \(action) \(path): \(String(cString: strerror(code))). \
            \(SystemFault.takesPerson(code) ? "Set CENSUS_DATA_DIR to a folder that you can write to." : "Try again later.")
            """
        case .busy(let folder, let holder):
            """
            \(holder.map { "Process \($0)" } ?? "Another process") has been starting or stopping the private PostgreSQL in \
            \(folder) for too long. Wait for it or end it, then try again.
            """
        case .held(let folder, let processes):
            """
            Process \(processes.map(String.init).joined(separator: ", ")) holds the private PostgreSQL's data in \
            \(folder), and does not answer on the socket in that folder. End it (kill -INT, after kill -CONT if it is stopped), then try again.
            """
        case .cannotRun(let program, let code):
            "Can't run \(program): \(String(cString: strerror(code)))."
        case .initdbFailed(let folder, let output):
            "PostgreSQL could not create its data folder \(folder). initdb said:\n\(output)"
        case .startFailed(let folder, let output, let log):
            """
            The private PostgreSQL in \(folder) did not start. pg_ctl said:
            \(output)
            \(log.isEmpty ? "Its log is empty." : "Its log ends with:\n" + log)
            """
        case .stopFailed(let folder, let output):
            "The private PostgreSQL in \(folder) did not stop. Stop it with pg_ctl. The attempt said:\n\(output)"
        case .queryFailed(let errors):
            "The private PostgreSQL refused a command: \(errors)"
        default: "The private PostgreSQL failed."
        }
    }
}
