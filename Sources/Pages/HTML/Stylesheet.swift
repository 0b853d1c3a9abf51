/// The console's only style sheet. Its URL contains its hash, so browsers can cache it forever.
package enum Stylesheet {
    package static let path = "/console/style.css?v=" + sheet.fingerprint
    package static var text: String { sheet.description }

    private static let sheet: StaticString = """
        :root {
          --paper: #fff; --ink: #1c2024; --soft: #596066; --line: #d9dde1; --wash: #f4f6f8;
          --blue: #1f5fa8; --band: #7fa6d1; --orange: #b4500a; --link: #14528f; --bad: #a11616; --badwash: #fdf0ef;
          --good: #1c6b3a; --other: #7a3e9d; --otherband: #c4a3d9; --shade: rgb(0 0 0 / .28);
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --ink: #e6e9ec; --soft: #a3abb3; --line: #353b41; --wash: #1c2125;
            --blue: #8fc0f5; --band: #4a78ac; --orange: #f0a35c; --link: #92c3f7; --bad: #ff9d94; --badwash: #2b1b1b;
            --good: #7fd0a0; --other: #d3a6ef; --otherband: #7d5796; --shade: rgb(0 0 0 / .8);
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 0 1.25rem 3rem; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        a { color: var(--link); }
        a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, input[type=date]:focus-within, select:focus-visible, [tabindex]:focus-visible {
          outline: 3px solid var(--blue); outline-offset: 2px;
        }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; }
        .top {
          display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; padding: .9rem 0;
          border-bottom: 1px solid var(--line); margin-bottom: 1.5rem;
        }
        .top p { margin: 0; } .brand { font-weight: 650; } .app { color: var(--soft); overflow-wrap: anywhere; }
        .top ul { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; list-style: none; margin: 0; padding: 0; }
        .top nav { flex-basis: 100%; order: 5; }
        .top nav a { display: inline-block; padding: .3rem 0; text-decoration: none; }
        .top nav a:hover { text-decoration: underline; }
        .top nav a[aria-current] { color: var(--ink); font-weight: 600; border-bottom: 2px solid var(--ink); }
        .apps ul { display: block; } .logout { margin-left: auto; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: break-word; }
        h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.25rem 0 .6rem; }
        h3 { font-size: 1rem; line-height: 1.35; margin: 0; font-weight: 600; overflow-wrap: break-word; }
        p { margin: .4rem 0 .8rem; max-width: 46rem; }
        .soft, footer { color: var(--soft); }
        .name, td, code { unicode-bidi: isolate; }
        footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .875rem; }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
        code { background: var(--wash); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
        pre { background: var(--wash); padding: .75rem; overflow-x: auto; margin: .5rem 0; }
        pre code { padding: 0; overflow-wrap: normal; }
        .attention { list-style: none; margin: 0; padding: 0; }
        .attention li { border-left: 4px solid var(--bad); background: var(--badwash); padding: .6rem .9rem; margin: 0 0 .6rem; }
        .attention p { margin: .15rem 0; overflow-wrap: break-word; max-width: 60rem; }
        .calm { border-left: 4px solid var(--good); background: var(--wash); padding: .6rem .9rem; }
        .fault { color: var(--bad); font-weight: 600; }
        .filters { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .5rem 0 1rem; font-size: .9375rem; }
        .filters p { margin: 0; } .filters strong { font-weight: 600; }
        form.filters { align-items: end; gap: .5rem .9rem; } .filters label { display: grid; gap: .1rem; color: var(--soft); font-size: .875rem; }
        .filters input, .filters select, .filters button { height: 2.1rem; padding: .2rem .5rem; max-width: 100%; font-size: .9375rem; } .filters select { max-width: 16rem; }
        .numbers { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 0 0 1.5rem; }
        .numbers dt { color: var(--soft); font-size: .9375rem; } .numbers dd { margin: 0; font-size: .875rem; }
        .numbers .figure { font-size: 1.75rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; }
        .badge { border: 1px solid var(--orange); color: var(--orange); border-radius: 3px; padding: 0 .35em; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
        .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); gap: 1.75rem 2rem; }
        .grid figure { margin: 0; display: flex; flex-direction: column; } .grid p { margin: .2rem 0 0; font-size: .875rem; }
        .grid h3 { margin-bottom: .4rem; min-height: 2.7rem; }
        .grid .plot { margin-top: auto; }
        figure { margin: 0 0 1.5rem; } .finding { font-weight: 600; margin-bottom: .4rem; }
        .box { overflow-x: auto; }
        /* A shadow at the edge past which a table goes on. */
        .box {
          background:
            linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% local,
            linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% local,
            linear-gradient(to right, var(--shade), transparent) left / .8rem 100%,
            linear-gradient(to left, var(--shade), transparent) right / .8rem 100%;
          background-repeat: no-repeat;
        }
        .plot { display: flex; overflow-x: clip; } .plot svg { display: block; flex: none; }
        .field { position: relative; flex: 1; min-width: 0; } .field > svg { width: 100%; }
        .field svg { overflow: visible; } .shapes path { vector-effect: non-scaling-stroke; }
        .names { width: 9.5rem; } .narrow { display: none; }
        .days { position: absolute; inset: 0; cursor: crosshair; touch-action: pan-y; }
        .cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--ink); }
        .readout {
          position: absolute; top: 0; z-index: 1; max-width: 60%; pointer-events: none; padding: .3rem .6rem; font-size: .8125rem;
          background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; font-variant-numeric: tabular-nums;
        }
        .readout p { display: flex; justify-content: space-between; gap: 1rem; margin: 0; } .readout .date { font-weight: 600; white-space: nowrap; }
        .days [hidden] { display: none; }
        .band { fill: var(--band); fill-opacity: .45; }
        .edge { fill: none; stroke: var(--blue); stroke-width: 1; }
        .expected { fill: none; stroke: var(--blue); stroke-width: 2; }
        .reported { fill: none; stroke: var(--orange); stroke-width: 1.25; stroke-dasharray: 3 2; }
        .band.other { fill: var(--otherband); } .edge.other, .expected.other { stroke: var(--other); }
        .added { fill: var(--blue); } .removed { fill: var(--orange); }
        .limit { fill: none; stroke: var(--orange); stroke-width: 1.5; stroke-dasharray: 6 3; }
        .fan { fill: var(--band); fill-opacity: .3; stroke: var(--blue); stroke-width: 1; stroke-dasharray: 2 3; }
        .fan-middle { fill: none; stroke: var(--blue); stroke-width: 1.5; stroke-dasharray: 6 3; }
        .axis, .grid-line { fill: none; stroke: var(--soft); stroke-width: 1; }
        .grid-line { stroke: var(--line); }
        .release { fill: none; stroke: var(--soft); stroke-width: 1; stroke-opacity: .55; }
        .act { fill: var(--ink); } .act-line { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 1 3; }
        .plot text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink); }
        .plot .tick, .plot .mark { fill: var(--soft); } .plot .strong { font-weight: 650; } .plot .naive { fill: var(--orange); } .plot .name.other { fill: var(--other); }
        .key { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding: 0; margin: 0 0 1rem; list-style: none; font-size: .875rem; color: var(--soft); }
        .key svg { width: 1.6rem; height: .8rem; vertical-align: -.05rem; margin-right: .35rem; }
        table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; margin: .25rem 0 .75rem; }
        caption { text-align: left; white-space: nowrap; color: var(--soft); padding-bottom: .35rem; font-size: .875rem; }
        th, td { text-align: left; padding: .3rem 1.5rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        th { font-weight: 600; white-space: nowrap; } th[scope=row] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
        .number { text-align: right; white-space: nowrap; }
        td.meter { min-width: 9rem; } td.meter svg { width: 9rem; height: .9rem; display: block; margin-top: .3rem; }
        .met { color: var(--good); } .unmet { color: var(--bad); font-weight: 600; }
        .links { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .875rem; align-items: baseline; }
        .links details[open] { flex-basis: 100%; }
        details { font-size: .875rem; } summary { cursor: pointer; color: var(--link); }
        .verdict { font-size: 1.05rem; }
        .fields { display: grid; gap: .4rem; max-width: 34rem; }
        .fields label { font-weight: 600; }
        .decide { margin: .6rem 0; font-size: 1rem; } .decide .fields { margin: .5rem 0 1rem 1rem; }
        input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; padding: .4rem .6rem; }
        button { background: var(--wash); cursor: pointer; justify-self: start; }
        .logout button { padding: .1rem .6rem; font-size: .875rem; }
        @media (max-width: 56rem) { .plot .names, .plot .wide { display: none; } .narrow { display: block; } }
        @media (min-width: 64rem) { .columns { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: start; } }
        @media (max-width: 40rem) {
          body { padding: 0 .9rem 2rem; } h1 { font-size: 1.35rem; } table { font-size: .875rem; } caption { white-space: normal; }
          th { white-space: normal; } th, td { padding-right: .8rem; } th:last-child, td:last-child { padding-right: 0; }
          td.meter { min-width: 5rem; } td.meter svg { width: 5rem; } pre { white-space: pre-wrap; } pre code { overflow-wrap: anywhere; }
          .numbers { gap: .75rem 2rem; } .numbers .figure { font-size: 1.4rem; }
          .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; border: 0; padding: 0; } .cards thead { position: absolute; left: -100rem; }
          .cards tr { border-bottom: 1px solid var(--line); padding: .4rem 0; } .cards th[scope=row] { font-weight: 600; }
          .cards td { text-align: right; overflow: hidden; } .cards td::before { content: attr(data-label); float: left; margin-right: 1rem; color: var(--soft); }
        }
        /* A kind's page fits on one sheet. */
        @page { size: A4; margin: 10mm 13mm; }
        @media print {
          html { font-size: 10px; } body { max-width: none; padding: 0; font-size: 1rem; line-height: 1.35; } .plot { zoom: .5; }
          nav, .logout, .apps, .filters, .decide, .links, .screen, .days, .skip, pre, footer { display: none; }
          .top { padding: 0 0 .3rem; margin-bottom: .6rem; } h1 { margin: 0 0 .2rem; } h2 { margin: .8rem 0 .2rem; break-after: avoid; }
          p, ul { margin: .15rem 0 .3rem; max-width: none; } a { color: inherit; text-decoration: none; }
          figure { margin: 0 0 .3rem; } figure, table, .attention li { break-inside: avoid; } .finding { margin: 0; }
          table, caption { font-size: .9375rem; } table { margin: 0 0 .3rem; } th, td { padding: .1rem .9rem .1rem 0; }
          caption { padding-bottom: .1rem; white-space: normal; break-after: avoid; } .key { margin: .2rem 0; }
          .box { overflow: visible; background: none; } .numbers { margin-bottom: .5rem; } .attention li, .calm { padding: .2rem .6rem; margin-bottom: .3rem; }
          .columns { display: flex; gap: 0 2rem; align-items: start; } .columns .soft, .columns .meter, .columns th:last-child { display: none; }
          .columns tr:nth-child(n + 7) { display: none; } .columns tbody:has(tr:nth-child(7))::after { content: "and more, on screen"; }
          .columns th[scope=row] { min-width: 0; }
          .grid { grid-template-columns: repeat(3, 1fr); gap: .8rem 1.4rem; } .grid h3 { min-height: 0; }
        }
        """
}

extension StaticString {
    /// A hash (FNV-1a, 64 bits). It only has to change when the text does.
    var fingerprint: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
