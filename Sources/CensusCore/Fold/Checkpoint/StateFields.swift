// The fields of a device's state in a checkpoint of the current format, in the order in which they are written.

extension DeviceState.SurfaceState: CheckpointedByField {
    mutating func visitFields(_ visitor: inout some FieldVisitor) throws(ByteReader.Malformed) {
        try visitor.visit(&lastReport)
        try visitor.visit(&holdings)
        try visitor.visit(&lastProofAt)
        try visitor.visit(&lostAtReport)
        try visitor.visit(&reportedSuspects)
        try visitor.visit(&suspectSince)
        try visitor.visit(&claim)
        try visitor.visit(&usedSuspects)
        try visitor.visit(&listedKinds)
        try visitor.visit(&kindsAliveSinceReport)
        try visitor.visit(&proven)
        try visitor.visit(&seenAt)
        try visitor.visit(&questions)
        try visitor.visit(&certainAtReport)
        try visitor.visit(&osReleaseAtReport)
        try visitor.visit(&pairedAt)
        try visitor.visit(&removedSinceReport)
        try visitor.visit(&versions)
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

extension DeviceState: CheckpointedByField {
    mutating func visitFields(_ visitor: inout some FieldVisitor) throws(ByteReader.Malformed) {
        try visitor.visit(&installation)
        try visitor.visit(&endedInstallations)
        try visitor.visit(&isCloned)
        try visitor.visit(&firstHeardAt)
        try visitor.visit(&lastHeardAt)
        try visitor.visit(&circumstances)
        try visitor.visit(&surfaces)
        try visitor.visit(&reportedAt)
        try visitor.visit(&galleryPolicy)
        try visitor.visit(&history)
        try visitor.visit(&phaseHistory)
        try visitor.visit(&reportedVersions)
    }
}

extension PhaseHistory: Checkpointed {
    func write(to writer: inout ByteWriter) { all.write(to: &writer) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self.init(all: try [Phase](from: &reader)) }
}

extension Change: Checkpointed {
    func write(to writer: inout ByteWriter) {
        cause.write(to: &writer)
        rule.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(try Cause(from: &reader), by: try Rule(from: &reader))
    }
}

extension Placement: Checkpointed {
    func write(to writer: inout ByteWriter) {
        kind.write(to: &writer)
        family.write(to: &writer)
        intent.write(to: &writer)
        configuration.write(to: &writer)
        instance.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            kind: try String(from: &reader),
            family: try String?(from: &reader),
            intent: try String?(from: &reader),
            configuration: try String?(from: &reader),
            instance: try String?(from: &reader))
    }
}

extension Placement.Model: Checkpointed {
    func write(to writer: inout ByteWriter) {
        kind.write(to: &writer)
        family.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            kind: try String(from: &reader),
            family: try String?(from: &reader))
    }
}

extension Level: Checkpointed {
    func write(to writer: inout ByteWriter) {
        certain.write(to: &writer)
        presumed.write(to: &writer)
        suspect.write(to: &writer)
        reported.write(to: &writer)
        either.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            certain: try Int(from: &reader),
            presumed: try Int(from: &reader),
            suspect: try Int(from: &reader),
            reported: try Int(from: &reader))
        either = try Int(from: &reader)
    }
}

extension Claim: Checkpointed {
    func write(to writer: inout ByteWriter) {
        platform.write(to: &writer)
        osVersion.write(to: &writer)
        rule.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            platform: try Platform(from: &reader),
            osVersion: try String?(from: &reader),
            rule: try Rule(from: &reader))
    }
}

extension ReportReference: Checkpointed {
    func write(to writer: inout ByteWriter) {
        id.write(to: &writer)
        at.write(to: &writer)
        appVersion.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            id: try String(from: &reader),
            at: try Timestamp(from: &reader),
            appVersion: try String(from: &reader))
    }
}

extension Observation.Circumstances: Checkpointed {
    func write(to writer: inout ByteWriter) {
        platform.write(to: &writer)
        osVersion.write(to: &writer)
        osBuild.write(to: &writer)
        appVersion.write(to: &writer)
        channel.write(to: &writer)
        bootedAt.write(to: &writer)
        firstLaunchedAt.write(to: &writer)
        galleryPolicy.write(to: &writer)
        rebooted.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            platform: try Platform(from: &reader),
            osVersion: try String?(from: &reader),
            osBuild: try String?(from: &reader),
            appVersion: try String(from: &reader),
            channel: try String(from: &reader),
            bootedAt: try Timestamp?(from: &reader),
            firstLaunchedAt: try Timestamp?(from: &reader),
            galleryPolicy: try Int64?(from: &reader))
        rebooted = try Bool?(from: &reader)
    }
}

extension DeviceState.Installation: Checkpointed {
    func write(to writer: inout ByteWriter) {
        id.write(to: &writer)
        firstLaunchedAt.write(to: &writer)
        isReinstall.write(to: &writer)
        isSettled.write(to: &writer)
        launchAsSent.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            id: try Pseudonym(from: &reader),
            firstLaunchedAt: try Timestamp?(from: &reader),
            isReinstall: try Bool(from: &reader),
            isSettled: try Bool(from: &reader))
        launchAsSent = try Timestamp?(from: &reader)
    }
}

extension SpanHistory.Key: Checkpointed {
    func write(to writer: inout ByteWriter) {
        surface.write(to: &writer)
        placement.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            surface: try Surface(from: &reader),
            placement: try Placement(from: &reader))
    }
}

extension Span: Checkpointed {
    func write(to writer: inout ByteWriter) {
        surface.write(to: &writer)
        placement.write(to: &writer)
        from.write(to: &writer)
        to.write(to: &writer)
        level.write(to: &writer)
        stillThere.write(to: &writer)
        claim.write(to: &writer)
        began.write(to: &writer)
        ended.write(to: &writer)
        settled.write(to: &writer)
        returned.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            surface: try Surface(from: &reader),
            placement: try Placement(from: &reader),
            from: try Timestamp(from: &reader),
            to: try Timestamp?(from: &reader),
            level: try Level(from: &reader),
            stillThere: try Int?(from: &reader),
            claim: try Claim?(from: &reader),
            began: try Change(from: &reader),
            ended: try Change?(from: &reader))
        settled = try Int(from: &reader)
        returned = try Int(from: &reader)
    }
}

extension Phase: Checkpointed {
    func write(to writer: inout ByteWriter) {
        from.write(to: &writer)
        to.write(to: &writer)
        traits.platform.write(to: &writer)
        traits.osRelease.write(to: &writer)
        traits.appVersion.write(to: &writer)
        traits.galleryPolicy.write(to: &writer)
        traits.isReporting.write(to: &writer)
        traits.isCloned.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            from: try Timestamp(from: &reader),
            to: try Timestamp?(from: &reader),
            traits: Traits(
                platform: try Platform(from: &reader),
                osRelease: try String?(from: &reader),
                appVersion: try String(from: &reader),
                galleryPolicy: try Int64?(from: &reader),
                isReporting: try Bool(from: &reader),
                isCloned: try Bool(from: &reader)))
    }
}

extension InstanceQuestion: Checkpointed {
    func write(to writer: inout ByteWriter) {
        asked.write(to: &writer)
        candidates.write(to: &writer)
        isFresh.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            asked: try Placement(from: &reader), candidates: try Set<Placement>(from: &reader),
            isFresh: try Bool(from: &reader))
    }
}
