/// What the lines of a chart mean.
enum ChartKey {
    static let html: HTML = """
        <ul class="key">\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="band" d="M0 1h26v10H0z"/><path class="edge" d="M0 1h26M0 11h26"/></svg>\
        between certain and possible</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="expected" d="M0 6h26"/></svg>expected</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="reported" d="M0 6h26"/></svg>reported by the OS, the naive number</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="release" d="M13 12v-8"/></svg>a version appears</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="act" d="M13 2l4 4-4 4-4-4z"/></svg>a decision on the kind</li>\
        </ul>

        """
}
