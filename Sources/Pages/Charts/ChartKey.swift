/// The legend of a chart.
enum ChartKey {
    static let html: HTML = """
        <ul class="key">\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="band" d="M0 1h26v10H0z"/><path class="edge" d="M0 1h26M0 11h26"/></svg>\
        between certain (at least) and possible (at most)</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="expected" d="M0 6h26"/></svg>expected (best estimate)</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="reported" d="M0 6h26"/></svg>reported by the OS (naive)</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="release" d="M13 12v-8"/></svg>new version</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="act" d="M13 2l4 4-4 4-4-4z"/></svg>decision about the kind</li>\
        </ul>

        """

    /// The legend of a chart of two kinds.
    static func html(_ one: String, _ two: String) -> HTML {
        """
        <ul class="key">\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="band" d="M0 1h26v10H0z"/><path class="expected" d="M0 6h26"/></svg>\
        <span class="name">\(HTML.name(one))</span></li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="band other" d="M0 1h26v10H0z"/><path class="expected other" d="M0 6h26"/></svg>\
        <span class="name">\(HTML.name(two))</span></li>\
        <li>bands from certain to possible, lines: expected</li>\
        </ul>

        """
    }
}
