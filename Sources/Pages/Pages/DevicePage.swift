package import CensusCore

/// One device's history, by an id that is posted: it appears in no address and in no log.
package struct DevicePage: Sendable {
    package enum Answer: Sendable {
        case none
        case fault(String)
        case explanation(Explanation)
    }

    var app: String
    var answer: Answer

    package init(app: String, answer: Answer) {
        self.app = app
        self.answer = answer
    }

    package var page: Page {
        Page("A device", of: app, at: .device) {
            Block.paragraph(
                "What was heard of one device, what it changed, and by which rule.",
                "The id is not kept: it is hashed to find the device's rows, and stands in no address.")
            Block.form(
                Form(
                    action: Link(.device).with("app", app), field: "device",
                    label: "The device's id, as the app sends it", button: "Explain"))
            switch answer {
            case .none: []
            case .fault(let message): Block.paragraph(Phrase(withCode: message), style: .fault)
            case .explanation(let explanation):
                Block.heading("Its history")
                DeviceHistory(explanation, isBrief: true).blocks
            }
        }
    }
}
