internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Spool
internal import Traces

/// `GET /metrics`: the server's metrics for Prometheus, described in docs/reference/metrics.md.
struct MetricsEndpoint: Sendable {
    #if DEBUG
        private static let configuration = "debug"
    #else
        private static let configuration = "release"
    #endif

    let access: MetricsAccess
    let version: String
    let metrics: IngestMetrics
    let commits: GroupCommit
    let store: Store
    let spool: BatchSpool?
    let gauges: StoreGauges
    let admission: Admission
    let traces: TraceExporter?

    func respond() async -> Response {
        var exposition = Exposition()
        metrics.write(to: &exposition)
        let waiting = commits.backlog
        exposition.add(.waitingRequests, waiting.requests)
        exposition.add(.waitingBytes, waiting.bytes)
        writeRoom(to: &exposition)
        metrics.write(spool, to: &exposition)
        exposition.add(.lostTraceSpans, traces?.lost ?? 0)
        await writeStore(to: &exposition)
        exposition.add(
            .buildInfo, [([version, "\(Migrator.currentVersion)", MetricsEndpoint.configuration], "1")])
        ProcessVitals.write(to: &exposition)
        return Response(
            status: .ok, headers: [.contentType: Exposition.contentType, .cacheControl: "no-store"],
            body: ByteBuffer(string: exposition.text))
    }

    func admits(_ request: Request, from peer: SocketAddress?) -> Bool {
        switch access {
        case .open: true
        case .off: false
        case .local: peer?.isLocal == true && !request.isForwarded && request.namesAddress
        }
    }

    private func writeRoom(to exposition: inout Exposition) {
        exposition.add(.requestBytes, admission.bytesTaken)
        exposition.add(.requestBytesMaximum, admission.bytesTotal)
        exposition.add(.heavyWaiting, admission.waiting(.decoding))
        let now = admission.connections.now
        exposition.add(.connections, now.open)
        exposition.add(.connectionsMaximum, now.maximum)
        exposition.add(.connectionsOpened, now.opened)
        exposition.add(.connectionsFull, now.full)
        exposition.add(.connectionsCut, admission.connections.cut.value)
        exposition.add(.acceptErrors, admission.connections.acceptErrors.value)
        exposition.add(.answersUntaken, admission.connections.untaken.value)
        let greediest = admission.usage.greediest
        exposition.add(.keyBytes, greediest.map { ([$0.name], "\($0.amount.bytes)") })
        exposition.add(.keyProcessor, greediest.map { ([$0.name], "\($0.amount.processor / .seconds(1))") })
        exposition.add(.keyStore, greediest.map { ([$0.name], "\($0.amount.store / .seconds(1))") })
        exposition.add(.keyRefused, greediest.map { ([$0.name], "\($0.amount.refused)") })
    }

    private func writeStore(to exposition: inout Exposition) async {
        let reading = await gauges.reading()
        exposition.add(.storeUp, reading.isUp ? 1 : 0)
        if let isDurable = reading.isDurable { exposition.add(.storeDurable, isDurable ? 1 : 0) }
        if let queue = reading.queue {
            exposition.add(.pendingDevices, queue.entries)
            exposition.add(.pendingSeconds, [([], "\(queue.seconds)")])
        }
        if let aside = reading.devicesSetAside { exposition.add(.devicesSetAside, aside) }
        if let implausible = reading.devicesImplausible { exposition.add(.devicesImplausible, implausible) }
        if let apps = reading.appsNotClosed {
            exposition.add(.appsNotClosed, NightFault.allCases.map { ([$0.rawValue], "\(apps[$0] ?? 0)") })
        }
        if let night = reading.lastNight { exposition.add(.lastNight, night.microseconds / 1_000_000) }
        if let losses = reading.openLosses { exposition.add(.openLosses, losses) }
        if let webhooks = reading.webhooks {
            exposition.add(.webhookDeliveries, webhooks.waiting)
            exposition.add(.webhooksFailing, webhooks.failing)
        }
        let pool = store.connections
        exposition.add(
            .poolConnections,
            [(["idle"], "\(pool.idle)"), (["busy"], "\(pool.busy)"), (["opening"], "\(pool.opening)")])
        exposition.add(.poolMaximum, pool.maximum)
        exposition.add(.poolWaiting, pool.waiting)
        exposition.add(.poolOpened, pool.opened)
        exposition.add(.poolOpenFailures, pool.openFailures)
        exposition.add(.poolRefused, pool.refused)
    }
}

extension SocketAddress {
    fileprivate var isLocal: Bool {
        switch self {
        case .unixDomainSocket: return true
        case .v4, .v6:
            // On a dual-stack socket an IPv4 peer's address is mapped: the IPv4 part is at the end.
            guard let address = ipAddress else { return false }
            return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
        }
    }
}

extension Request {
    /// Whether the `Host` header is an IP address or `localhost`. With DNS rebinding, a page of another site makes a browser on
    /// this machine send its requests here, but their `Host` is that site's name.
    fileprivate var namesAddress: Bool {
        guard let host = authority?.lowercased() else { return false }
        let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.lastIndex(of: ":")
        let name = host[..<(end ?? host.endIndex)]
        if name == "localhost" { return true }
        if name.hasPrefix("["), name.hasSuffix("]") {
            return (try? SocketAddress(ipAddress: String(name.dropFirst().dropLast()), port: 0)) != nil
        }
        return (try? SocketAddress(ipAddress: String(name), port: 0)) != nil
    }

    /// Whether a header says that a proxy forwarded the request.
    fileprivate var isForwarded: Bool {
        headers.containsName { name in
            name == "forwarded" || name == "via" || name.hasPrefix("x-forwarded-") || name == "x-real-ip"
        }
    }
}

package enum MetricsAccess: String, CaseIterable, Sendable {
    /// Requests from this machine without a proxy's forwarding headers.
    case local
    case open
    case off
}
