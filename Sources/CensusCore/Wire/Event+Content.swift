extension Event {
    /// The event's content as canonical JSON: equal contents have equal bytes.
    ///
    /// Keys are in alphabetical order, widgets in the order of ``Placement``, and absent fields are left out.
    public var content: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(96)
        switch self {
        case .reported(let claimed): return WidgetList(claimed).content
        case .readFailed(let domain, let code):
            output.append(contentsOf: #"{"error":{"code":\#(code),"domain":"#.utf8)
            JSONString.write(domain, to: &output)
            output.append(contentsOf: "}}".utf8)
        case .happened(_, to: let widget):
            output.append(contentsOf: #"{"widget":"#.utf8)
            widget.write(to: &output)
            output.append(UInt8(ascii: "}"))
        case .restored(let instances):
            output.append(contentsOf: #"{"instances":{"#.utf8)
            for (position, (old, new)) in instances.sorted(by: { $0.key < $1.key }).enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                JSONString.write(old.text, to: &output)
                output.append(UInt8(ascii: ":"))
                JSONString.write(new, to: &output)
            }
            output.append(contentsOf: "}}".utf8)
        case .appOpened: output.append(contentsOf: "{}".utf8)
        }
        return output
    }

    /// Reads what ``content`` wrote.
    ///
    /// - Throws: ``StoredContentError`` for a row that this program did not write.
    public init(_ type: EventType, content: [UInt8]) throws(StoredContentError) {
        do {
            let document = try JSONDocument(content)
            // Without limits, so that stored events stay readable when the server's limits change.
            var limits = Limits()
            limits.count = 1...Int(Int32.max)
            limits.stringLength = .max
            limits.stringBytes = .max
            limits.widgetsPerReport = .max
            self = try EventContentReader(document: document, limits: limits).event(type, at: JSONDocument.root)
            // Its members are not read, so any content would do.
            if self == .appOpened, content != self.content { throw StoredContentError(type: type) }
        } catch {
            throw StoredContentError(type: type)
        }
    }
}

/// Stored content that can't be read.
public struct StoredContentError: Error, Hashable, Sendable {
    public let type: EventType
}

extension Placement {
    func write(to output: inout [UInt8], count: Int = 1) {
        var separator = UInt8(ascii: "{")
        func key(_ name: StaticString) {
            output.append(separator)
            separator = UInt8(ascii: ",")
            // The literals include quotes and colon, so that the thousands of keys of a large report need no escaping.
            output.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        func field(_ name: StaticString, _ value: String?) {
            guard let value else { return }
            key(name)
            JSONString.write(value, to: &output)
        }
        field(#""configuration":"#, configuration)
        if count != 1 {
            key(#""count":"#)
            output.append(contentsOf: "\(count)".utf8)
        }
        field(#""family":"#, family)
        field(#""instance":"#, instance)
        field(#""intent":"#, intent)
        field(#""kind":"#, kind)
        output.append(UInt8(ascii: "}"))
    }
}
