internal import CensusCore

extension Timestamp {
    /// Seconds, milliseconds or microseconds since 1970, or a time with or without a `T` and a zone.
    init?(exported value: RecordValue, in zone: ReportingZone = .utc, isLocal: Bool = false) {
        guard let text = value.scalar else { return nil }
        if let number = Double(text) {
            let microseconds = number < 1e11 ? number * 1e6 : number < 1e14 ? number * 1e3 : number
            guard microseconds > 0, microseconds < 1e16 else { return nil }
            let time = Timestamp(microseconds: Int64(microseconds))
            self = isLocal ? time.moved(from: zone) : time
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T") else { return nil }
        let fraction = bytes[19...].prefix { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        guard let zoneName = ZoneText(Substring(decoding: bytes[fraction.endIndex...], as: UTF8.self)) else {
            return nil
        }
        let local = bytes[..<10] + [UInt8(ascii: "T")] + bytes[11..<fraction.endIndex]
        let time = Timestamp(rfc3339: String(decoding: local, as: UTF8.self) + (zoneName.offset ?? "Z"))
        guard let time else { return nil }
        self = zoneName.offset == nil ? time.moved(from: zone) : time
    }

    /// The instant at which clocks in the zone show what UTC shows at this one.
    private func moved(from zone: ReportingZone) -> Timestamp {
        let near = self - .seconds(Int64(zone.secondsFromUTC(at: self)))
        return self - .seconds(Int64(zone.secondsFromUTC(at: near)))
    }
}

/// What follows a time: nothing, `Z`, ` UTC`, `+01:00`, `+0100`, ` -07` and the like.
private struct ZoneText {
    /// As RFC 3339 has it; nil if there is none.
    var offset: String?

    init?(_ text: Substring) {
        let text = text.drop { $0 == " " }
        guard let sign = text.first else { return }
        if text == "Z" || text == "UTC" {
            offset = "Z"
            return
        }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard sign == "+" || sign == "-", digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            digits.count == 2 || digits.count == 4
        else { return nil }
        offset = "\(sign)\(digits.prefix(2)):\(digits.count == 4 ? String(digits.suffix(2)) : "00")"
    }
}
