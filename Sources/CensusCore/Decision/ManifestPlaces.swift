/// Finds the positions of kinds and fields in a manifest's text, for tools that show findings there.
public struct ManifestPlaces: Sendable {
    /// Counted from 1, columns in UTF-16 code units.
    public struct Place: Hashable, Sendable {
        public var line: Int
        public var column: Int
        /// The column after the last one, on the same line; nil for objects and lists, which can span lines.
        public var endColumn: Int?

        public init(line: Int = 1, column: Int = 1, endColumn: Int? = nil) {
            self.line = line
            self.column = column
            self.endColumn = endColumn
        }
    }

    private let bytes: [UInt8]
    private let document: Result<JSONDocument, JSONError>
    private let lineStarts: [Int]
    private let kinds: [Manifest.Kind.ID: JSONDocument.Index]

    /// - Parameter bytes: a manifest, or a file that turned out not to be one.
    public init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        self.lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        do throws(JSONError) {
            let document = try JSONDocument(bytes)
            self.document = .success(document)
            self.kinds = ManifestPlaces.kinds(of: document)
        } catch {
            self.document = .failure(error)
            self.kinds = [:]
        }
    }

    private static func kinds(of document: JSONDocument) -> [Manifest.Kind.ID: JSONDocument.Index] {
        let list = document.member("kinds", of: JSONDocument.root).map(document.elements) ?? []
        let found = list.compactMap { element -> (Manifest.Kind.ID, JSONDocument.Index)? in
            guard let name = document.member("kind", of: element), let kind = document.string(at: name) else {
                return nil
            }
            let surface = document.member("surface", of: element).flatMap(document.string).flatMap(Surface.init)
            return (.init(surface: surface ?? .widget, kind: Text(kind)), name)
        }
        return Dictionary(found) { first, _ in first }
    }

    /// The position of the kind's name; nil if the manifest lacks the kind.
    public func place(of kind: Manifest.Kind.ID) -> Place? {
        guard let index = kinds[kind], case .success(let document) = document else { return nil }
        return place(of: index, in: document)
    }

    /// - Parameter pointer: RFC 6901. If nothing is there, the nearest parent counts.
    /// - Returns: for malformed JSON, the position of the error.
    public func place(at pointer: String) -> Place {
        let document: JSONDocument
        switch self.document {
        case .success(let read): document = read
        case .failure(let error): return place(from: min(error.offset, bytes.count), through: nil)
        }
        var (found, value) = (JSONDocument.root, JSONDocument.root)
        for name in JSONPointer.parts(of: pointer) {
            if let member = document.members(of: value).first(where: {
                document.string(at: $0.key).hasBytes(of: name)
            }) {
                (found, value) = member
            } else if let position = Int(name), document.elements(of: value).indices.contains(position) {
                found = document.elements(of: value)[position]
                value = found
            } else {
                break
            }
        }
        return place(of: found, in: document)
    }

    private func place(of index: JSONDocument.Index, in document: JSONDocument) -> Place {
        let source = document.source(at: index)
        let isShort = document.kind(at: index) != .object && document.kind(at: index) != .array
        return place(from: source.startIndex, through: isShort ? source.endIndex : nil)
    }

    private func place(from start: Int, through end: Int?) -> Place {
        let line = lineStarts.partitioningIndex { $0 > start }
        func column(_ offset: Int) -> Int {
            1 + bytes[lineStarts[line - 1]..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        }
        return Place(line: line, column: column(start), endColumn: end.map(column))
    }
}

extension [Int] {
    /// The first position whose element meets the condition. All elements after it meet it, too.
    fileprivate func partitioningIndex(where belongs: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
