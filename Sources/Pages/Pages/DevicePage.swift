package import CensusCore

/// One device's history. The id is posted, so it appears in no URL and no log.
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
                "Everything one device sent, what each report or event changed, and by which rule.",
                "The console doesn't store the id. It hashes the id to find the device's rows, and no URL contains it.")
            Block.form(
                Form(
                    action: Link(.device).with("app", app),
                    fields: [.init(name: "device", label: "Device id, as the app sends it")], button: "Explain"))
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
