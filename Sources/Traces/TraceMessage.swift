package import Tracing

/// A trace span as it is exported.
package struct EndedSpan: Sendable {
    package let trace: TraceContext
    package var name: String
    package let kind: SpanKind
    /// Nanoseconds since 1970.
    package let start: UInt64
    package var end: UInt64
    package var attributes: SpanAttributes = [:]
    package var status: SpanStatus.Code?

    package init(trace: TraceContext, name: String, kind: SpanKind, start: UInt64) {
        self.trace = trace
        self.name = name
        self.kind = kind
        self.start = start
        self.end = start
    }
}

/// A batch of trace spans in OTLP's JSON: `ExportTraceServiceRequest`, with ids in hexadecimal, enums as numbers and 64-bit
/// integers as strings.
struct TraceMessage: Encodable {
    let resourceSpans: [ResourceSpans]

    init(_ spans: [EndedSpan], version: String) {
        let service = [
            Attribute(key: "service.name", value: .string("widget-census")),
            Attribute(key: "service.version", value: .string(version)),
        ]
        resourceSpans = [
            ResourceSpans(
                resource: Resource(attributes: service),
                scopeSpans: [
                    ScopeSpans(
                        scope: Scope(name: "widget-census", version: version), spans: spans.map(SpanMessage.init))
                ])
        ]
    }

    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    struct Resource: Encodable {
        let attributes: [Attribute]
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [SpanMessage]
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct SpanMessage: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: Status?

        init(_ span: EndedSpan) {
            traceId = span.trace.trace
            spanId = span.trace.span
            parentSpanId = span.trace.parent
            name = span.name
            kind = SpanMessage.number(of: span.kind)
            startTimeUnixNano = "\(span.start)"
            endTimeUnixNano = "\(span.end)"
            var attributes: [Attribute] = []
            span.attributes.forEach { key, value in
                if let value = Value(value) { attributes.append(Attribute(key: key, value: value)) }
            }
            self.attributes = attributes.sorted { $0.key < $1.key }
            status = span.status.map { Status(code: $0 == .error ? 2 : 1) }
        }

        private static func number(of kind: SpanKind) -> Int {
            switch kind {
            case .internal: 1
            case .server: 2
            case .client: 3
            case .producer: 4
            case .consumer: 5
            }
        }
    }

    struct Status: Encodable {
        let code: Int
    }

    struct Attribute: Encodable {
        let key: String
        let value: Value
    }

    enum Value: Encodable {
        case string(String)
        case integer(Int64)
        case double(Double)
        case bool(Bool)

        /// Nil for lists, which none of our spans has.
        init?(_ attribute: SpanAttribute) {
            switch attribute {
            case .string(let value): self = .string(value)
            case .int32(let value): self = .integer(Int64(value))
            case .int64(let value): self = .integer(value)
            case .double(let value): self = .double(value)
            case .bool(let value): self = .bool(value)
            case .stringConvertible(let value): self = .string("\(value)")
            default: return nil
            }
        }

        private enum CodingKeys: String, CodingKey {
            case stringValue, intValue, doubleValue, boolValue
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .string(let value): try container.encode(value, forKey: .stringValue)
            case .integer(let value): try container.encode("\(value)", forKey: .intValue)
            case .double(let value): try container.encode(value, forKey: .doubleValue)
            case .bool(let value): try container.encode(value, forKey: .boolValue)
            }
        }
    }
}
