#if canImport(WidgetKit)
    import Foundation
    import Security

    /// The keychain's item: readable after the first unlock, on this device only, by the app and its extensions.
    struct SystemKeychain: Keychain {
        /// The app group; nil if the app has none.
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
            // Reading shows whether it worked: it may already be there.
            _ = SecItemAdd(attributes as CFDictionary, nil)
        }

        /// Reading shows whether it worked here, too.
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
