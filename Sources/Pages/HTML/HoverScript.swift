/// The console's only script. It shows a chart's figures for the day under the pointer, or the day that the arrow keys choose.
///
/// Pages work without it: the same figures are in each chart's table. It writes text only, and reads nothing but the chart's own
/// attributes (``Readout``).
package enum HoverScript {
    package static let path = "/console/hover.js?v=" + source.fingerprint
    package static var text: String { source.description }

    private static let source: StaticString = #"""
        "use strict";
        for (const chart of document.querySelectorAll("svg[data-days]")) {
          const { first, names, days } = chart.dataset;
          const labels = names.split("\n");
          let latest = "";
          const figures = days.split(";").map(text => (latest = text === "=" ? latest : text) ? latest.split(" ") : null);
          const count = figures.length;
          const make = (parent, name, text = "") => {
            const element = document.createElement(text ? "p" : "div");
            element.className = name;
            element.textContent = text;
            parent.append(element);
            return element;
          };
          const layer = make(chart.parentElement, "days");
          const cursor = make(layer, "cursor");
          const readout = make(layer, "readout");
          readout.setAttribute("aria-hidden", "true");
          cursor.hidden = readout.hidden = true;
          let day = count - 1;

          const date = () => new Date(Date.parse(first) + day * 864e5).toLocaleDateString("en-GB",
            { timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric" });
          const grouped = figure => /^[0-9]+$/.test(figure) ? Number(figure).toLocaleString("en-US") : figure;
          const lines = () => figures[day]
            ? figures[day].flatMap((figure, line) => figure === "-" ? [] : [[labels[line], grouped(figure)]])
            : [["not closed", ""]];

          const describe = () => {
            layer.setAttribute("aria-valuenow", day);
            layer.setAttribute("aria-valuetext", [date(), ...lines().map(line => line.join(" "))].join(", "));
          };
          const show = to => {
            day = Math.min(count - 1, Math.max(0, to));
            const place = (day + 0.5) / count, width = layer.clientWidth;
            readout.replaceChildren();
            make(readout, "date", date());
            for (const [label, figure] of lines()) {
              const line = make(readout, "line", label);
              line.append(Object.assign(document.createElement("b"), { textContent: figure }));
            }
            cursor.hidden = readout.hidden = false;
            cursor.style.left = `${100 * place}%`;
            readout.style.left = place < 0.5 ? `${place * width + 10}px` : "auto";
            readout.style.right = place < 0.5 ? "auto" : `${(1 - place) * width + 10}px`;
            describe();
          };
          const hide = () => { cursor.hidden = readout.hidden = true; };

          const attributes = { role: "slider", tabindex: 0, "aria-label": "Day", "aria-valuemin": 0, "aria-valuemax": count - 1 };
          for (const [name, value] of Object.entries(attributes)) layer.setAttribute(name, value);
          describe();
          const point = event => {
            const box = layer.getBoundingClientRect();
            show(Math.floor((event.clientX - box.left) / box.width * count));
          };
          layer.addEventListener("pointermove", point);
          layer.addEventListener("pointerdown", point);
          layer.addEventListener("pointerleave", () => { if (document.activeElement !== layer) hide(); });
          layer.addEventListener("focus", () => show(day));
          layer.addEventListener("blur", hide);
          layer.addEventListener("keydown", event => {
            const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -count, End: count };
            if (event.key === "Escape") return hide();
            if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            show(day + steps[event.key]);
          });
        }

        """#
}
