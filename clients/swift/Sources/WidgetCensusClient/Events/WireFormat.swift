import Foundation

// The API's conventions: names in snake_case, times in RFC 3339 with a zone.

extension JSONEncoder {
    /// Sorted keys, so that an event has the same bytes at every attempt.
    static var ofWire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(of: date))
        }
        return encoder
    }
}

extension JSONDecoder {
    static var ofWire: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = WireTime.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return decoder
    }
}

/// The API's format of times.
enum WireTime {
    private static let years = -62_135_596_800.0...253_402_300_799.0  // 0001 to 9999: RFC 3339 has four digits.

    /// Formats a time to the millisecond. Clamps it to the years that RFC 3339 can express.
    static func text(of date: Date) -> String {
        let seconds = min(max(date.timeIntervalSince1970, years.lowerBound), years.upperBound)
        // Add a little after rounding, because the style truncates the rest.
        let middle = (seconds * 1000).rounded() / 1000 + 0.0002
        return Date(timeIntervalSince1970: middle).formatted(style(fraction: true))
    }

    static func date(_ text: String) -> Date? {
        (try? style(fraction: true).parse(text)) ?? (try? style(fraction: false).parse(text))
    }

    private static func style(fraction: Bool) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
    }
}
