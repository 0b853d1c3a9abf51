extension DeviceState.SurfaceState: Checkpointed {
    func write(to writer: inout ByteWriter) {
        lastReport.write(to: &writer)
        holdings.write(to: &writer)
        lastProofAt.write(to: &writer)
        lostAtReport.write(to: &writer)
        reportedSuspects.write(to: &writer)
        suspectSince.write(to: &writer)
        claim.write(to: &writer)
        usedSuspects.write(to: &writer)
        listedKinds.write(to: &writer)
        kindsAliveSinceReport.write(to: &writer)
        proven.write(to: &writer)
        seenAt.write(to: &writer)
        questions.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        lastReport = try ReportReference?(from: &reader)
        holdings = try [Placement: Level](from: &reader)
        lastProofAt = try Timestamp?(from: &reader)
        lostAtReport = try Set<Placement.Model>?(from: &reader)
        reportedSuspects = try [Placement: Int](from: &reader)
        suspectSince = try Timestamp?(from: &reader)
        claim = try Claim?(from: &reader)
        usedSuspects = try [Placement.Model: Placement](from: &reader)
        listedKinds = try Set<Text>?(from: &reader)
        kindsAliveSinceReport = try Set<Text>(from: &reader)
        proven = try [Placement: Int](from: &reader)
        seenAt = try [Placement: Timestamp](from: &reader)
        questions = try [InstanceQuestion](from: &reader)
    }
}

extension SpanHistory: Checkpointed {
    func write(to writer: inout ByteWriter) {
        closed.write(to: &writer)
        open.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(closed: try [Span](from: &reader), open: try [Key: Span](from: &reader))
    }
}

extension DeviceState: Checkpointed {
    func write(to writer: inout ByteWriter) {
        installation.write(to: &writer)
        endedInstallations.write(to: &writer)
        isCloned.write(to: &writer)
        firstHeardAt.write(to: &writer)
        lastHeardAt.write(to: &writer)
        circumstances.write(to: &writer)
        surfaces.write(to: &writer)
        reportedAt.write(to: &writer)
        galleryPolicy.write(to: &writer)
        history.write(to: &writer)
        phaseHistory.all.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        installation = try Installation?(from: &reader)
        endedInstallations = try Set<Pseudonym>(from: &reader)
        isCloned = try Bool(from: &reader)
        firstHeardAt = try Timestamp?(from: &reader)
        lastHeardAt = try Timestamp?(from: &reader)
        circumstances = try Observation.Circumstances?(from: &reader)
        surfaces = try [Surface: SurfaceState](from: &reader)
        reportedAt = try Timestamp?(from: &reader)
        galleryPolicy = try Int64?(from: &reader)
        history = try SpanHistory(from: &reader)
        phaseHistory = PhaseHistory(all: try [Phase](from: &reader))
    }
}
