/// The list of a report: each placement once, in order, with its count.
///
/// It is made without a dictionary, because hashing all strings of a widget takes longer than sorting a few widgets.
struct WidgetList {
    typealias Widget = (placement: Placement, count: Int)

    private(set) var widgets: [Widget] = []

    /// - Parameter sent: in any order. Counts of equal placements are added.
    init(_ sent: [Widget]) {
        widgets.reserveCapacity(sent.count)
        for widget in sent.sorted(by: { $0.placement < $1.placement }) {
            if let last = widgets.last, last.placement == widget.placement {
                widgets[widgets.count - 1].count += widget.count
            } else {
                widgets.append(widget)
            }
        }
    }

    init(_ claimed: [Placement: Int]) {
        widgets = claimed.map { ($0.key, $0.value) }.sorted { $0.placement < $1.placement }
    }

    /// ``Event/content``.
    var content: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(16 + 96 * min(widgets.count, 8))
        output.append(contentsOf: #"{"widgets":["#.utf8)
        for (position, widget) in widgets.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            widget.placement.write(to: &output, count: widget.count)
        }
        output.append(contentsOf: "]}".utf8)
        return output
    }

    /// Each kind and family once. In the order of ``Placement``, equal ones are adjacent.
    var models: [Placement.Model] {
        var models: [Placement.Model] = []
        for widget in widgets where models.last != widget.placement.model { models.append(widget.placement.model) }
        return models
    }
}
