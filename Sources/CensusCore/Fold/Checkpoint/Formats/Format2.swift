/// Reads states of format 2, which programs of 2026 wrote: no magic, no checksum, and one number for format and rules.
///
/// This is frozen: the tests' golden files fix what it makes of the old bytes. It changes only if the state's own types do.
/// Fields that format 2 lacked get the value that a device of that time would have had.
struct Format2 {
    private static let rules: UInt16 = 2

    private var reader: ByteReader

    static func header(
        _ bytes: [UInt8]
    ) throws(UnreadableState) -> (header: StateHeader, state: ArraySlice<UInt8>) {
        guard bytes.first == 2 else { throw .unknown }
        do {
            var format = Format2(reader: ByteReader(bytes))
            _ = try format.reader.readNumber()
            let settings = FoldSettings(
                windowDays: try format.count(), zone: try format.text(),
                doubtedBuilds: try format.list { try $0.text() })
            return (
                StateHeader(format: 2, rules: rules, settings: settings), bytes[format.reader.position...]
            )
        } catch {
            throw .malformed(format: 2)
        }
    }

    /// - Parameter reader: at the first byte of the state, before any text was read.
    static func state(from reader: inout ByteReader) throws(ByteReader.Malformed) -> DeviceState {
        var format = Format2(reader: reader)
        defer { reader = format.reader }
        do { return try format.state() } catch { throw ByteReader.Malformed() }
    }

    private mutating func state() throws -> DeviceState {
        var state = DeviceState()
        state.installation = try optional { try $0.installation() }
        state.endedInstallations = Set(try list { try $0.pseudonym() })
        state.isCloned = try flag()
        state.firstHeardAt = try optional { try $0.time() }
        state.lastHeardAt = try optional { try $0.time() }
        state.circumstances = try optional { try $0.circumstances() }
        state.surfaces = try table({ try $0.named() }, { try $0.surface() })
        state.reportedAt = try optional { try $0.time() }
        state.galleryPolicy = try optional { try $0.reader.readSigned() }
        state.history = SpanHistory(
            closed: try list { try $0.span() }, open: try table({ try $0.key() }, { try $0.span() }))
        state.phaseHistory = PhaseHistory(all: try list { try $0.phase() })
        return state
    }

    private mutating func surface() throws -> DeviceState.SurfaceState {
        var surface = DeviceState.SurfaceState()
        surface.lastReport = try optional { try $0.report() }
        surface.holdings = try table({ try $0.placement() }, { try $0.level() })
        surface.lastProofAt = try optional { try $0.time() }
        surface.lostAtReport = try optional { Set(try $0.list { try $0.model() }) }
        surface.reportedSuspects = try table({ try $0.placement() }, { try $0.count() })
        surface.suspectSince = try optional { try $0.time() }
        surface.claim = try optional { try $0.claim() }
        surface.usedSuspects = try table({ try $0.model() }, { try $0.placement() })
        surface.kindsAliveSinceReport = Set(try list { Text(try $0.text()) })
        surface.proven = try table({ try $0.placement() }, { try $0.count() })
        surface.seenAt = try table({ try $0.placement() }, { try $0.time() })
        return surface
    }

    private mutating func installation() throws -> DeviceState.Installation {
        DeviceState.Installation(
            id: try pseudonym(), firstLaunchedAt: try optional { try $0.time() }, isReinstall: try flag(),
            isSettled: try flag())
    }

    private mutating func circumstances() throws -> Observation.Circumstances {
        Observation.Circumstances(
            platform: try named(), osVersion: try optional { try $0.text() }, osBuild: try optional { try $0.text() },
            appVersion: try text(), channel: try text(), bootedAt: try optional { try $0.time() },
            firstLaunchedAt: try optional { try $0.time() }, galleryPolicy: try optional { try $0.reader.readSigned() })
    }

    private mutating func report() throws -> ReportReference {
        ReportReference(id: try text(), at: try time(), appVersion: try text())
    }

    private mutating func placement() throws -> Placement {
        Placement(
            kind: try text(), family: try optional { try $0.text() }, intent: try optional { try $0.text() },
            configuration: try optional { try $0.text() }, instance: try optional { try $0.text() })
    }

    private mutating func model() throws -> Placement.Model {
        Placement.Model(kind: try text(), family: try optional { try $0.text() })
    }

    private mutating func level() throws -> Level {
        Level(certain: try count(), presumed: try count(), suspect: try count(), reported: try count())
    }

    private mutating func claim() throws -> Claim {
        Claim(platform: try named(), osVersion: try optional { try $0.text() }, rule: try named())
    }

    private mutating func change() throws -> Change { Change(try named(), by: try named()) }

    private mutating func key() throws -> SpanHistory.Key {
        SpanHistory.Key(surface: try named(), placement: try placement())
    }

    private mutating func span() throws -> Span {
        Span(
            surface: try named(), placement: try placement(), from: try time(), to: try optional { try $0.time() },
            level: try level(), stillThere: try optional { try $0.count() }, claim: try optional { try $0.claim() },
            began: try change(), ended: try optional { try $0.change() })
    }

    private mutating func phase() throws -> Phase {
        Phase(
            from: try time(), to: try optional { try $0.time() },
            traits: Phase.Traits(
                platform: try named(), osRelease: try optional { try $0.text() }, appVersion: try text(),
                galleryPolicy: try optional { try $0.reader.readSigned() }, isReporting: try flag(),
                isCloned: try flag()))
    }

    private mutating func flag() throws -> Bool { try reader.readNumber() == 1 }
    private mutating func count() throws -> Int { Int(try reader.readSigned()) }
    private mutating func text() throws -> String { try reader.readText() }
    private mutating func time() throws -> Timestamp { Timestamp(microseconds: try reader.readSigned()) }

    private mutating func pseudonym() throws -> Pseudonym {
        Pseudonym(high: try reader.readNumber(), low: try reader.readNumber())
    }

    private mutating func named<Name: RawRepresentable>() throws -> Name where Name.RawValue == String {
        guard let name = Name(rawValue: try text()) else { throw ByteReader.Malformed() }
        return name
    }

    private mutating func optional<Value>(_ value: (inout Format2) throws -> Value) throws -> Value? {
        try flag() ? try value(&self) : nil
    }

    private mutating func list<Element>(_ element: (inout Format2) throws -> Element) throws -> [Element] {
        var list: [Element] = []
        for _ in 0..<(try reader.readCount()) { list.append(try element(&self)) }
        return list
    }

    private mutating func table<Key: Hashable, Value>(
        _ key: (inout Format2) throws -> Key, _ value: (inout Format2) throws -> Value
    ) throws -> [Key: Value] {
        var table: [Key: Value] = [:]
        for _ in 0..<(try reader.readCount()) {
            let key = try key(&self)
            table[key] = try value(&self)
        }
        return table
    }
}
