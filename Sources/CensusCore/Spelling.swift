extension String {
    /// The Levenshtein distance.
    package func distance(to other: String) -> Int {
        let (mine, others) = (Array(self), Array(other))
        var row = Array(0...others.count)
        for (position, character) in mine.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for (column, otherCharacter) in others.enumerated() {
                let replaced = diagonal + (character == otherCharacter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[others.count]
    }

    /// The name that this is probably a misspelling of; nil if none is close.
    package func nearest(among names: some Sequence<String>) -> String? {
        // Comparing takes time in proportion to the product of both lengths, and nobody misspells a whole page.
        guard utf8.count <= 200 else { return nil }
        let nearest = names.map { (name: $0, distance: lowercased().distance(to: $0.lowercased())) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance * 2 <= Swift.max(count, nearest.name.count) else { return nil }
        return nearest.name
    }
}
