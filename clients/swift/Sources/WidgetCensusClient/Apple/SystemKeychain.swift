#if canImport(WidgetKit)
    import Foundation
    import Security

    /// Stores the device's id in a keychain item. After the first unlock, the app and its extensions can read it, on this
    /// device only.
    struct SystemKeychain: Keychain {
        /// The app group. If nil, items are added to the app's own group, and read and removed in all groups of the app.
        let accessGroup: String?

        func read() -> KeychainAnswer {
            var query = item
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &found) {
            case errSecSuccess:
                guard let data = found as? Data, let id = String(data: data, encoding: .utf8), !id.isEmpty else {
                    return .notNow
                }
                return .found(id)
            case errSecItemNotFound:
                return .absent
            default:
                return .notNow
            }
        }

        func add(_ id: String) {
            var attributes = item
            attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            attributes[kSecValueData as String] = Data(id.utf8)
            // Ignore the status, because the item can already exist; callers read it back.
            _ = SecItemAdd(attributes as CFDictionary, nil)
        }

        /// Callers check with ``read()`` whether it worked.
        func remove() { _ = SecItemDelete(item as CFDictionary) }

        private var item: [String: Any] {
            var item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "WidgetCensus",
                kSecAttrAccount as String: "device",
                kSecAttrSynchronizable as String: false,
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
            return item
        }
    }
#endif
