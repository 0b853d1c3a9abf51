/// What systems get wrong, and on which versions.
package struct Quirks: Sendable, Hashable {
    /// WidgetCenter goes on listing the widgets of a deleted app until the device boots.
    package var ghosts: Set<OperatingSystem>
    /// WidgetCenter lists identical widgets once.
    package var foldedDuplicates: Set<OperatingSystem>

    package init(
        ghosts: Set<OperatingSystem> = Set((3...8).map { OperatingSystem(14, $0) }),
        foldedDuplicates: Set<OperatingSystem> = [OperatingSystem(16, 7)]
    ) {
        self.ghosts = ghosts
        self.foldedDuplicates = foldedDuplicates
    }
}
