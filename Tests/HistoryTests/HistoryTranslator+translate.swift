@testable import History

extension HistoryTranslator {
    func translate(_ exported: ExportedRecord) -> Translation {
        var use = MappingUse()
        return translate(exported, &use)
    }
}
