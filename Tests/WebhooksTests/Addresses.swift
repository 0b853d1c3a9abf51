import Testing

@testable import Webhooks

@Suite struct `Webhook addresses` {
    @Test(arguments: [
        ("https://hooks.example.com", "https://hooks.example.com/", "https://hooks.example.com/"),
        (
            "HTTPS://Hooks.Example.com:8443/a/b", "https://hooks.example.com:8443/a/b",
            "https://hooks.example.com:8443/a/b"
        ),
        ("https://a.example?token=abc", "https://a.example/?token=abc", "https://a.example/?…"),
        (
            "https://hooks.slack.example/services/T0001/B0002/0123456789abcdefXYZ?x=/y?z",
            "https://hooks.slack.example/services/T0001/B0002/0123456789abcdefXYZ?x=/y?z",
            "https://hooks.slack.example/services/T0001/B0002/0123…?…"
        ),
        ("https://[2606:4700::1111]:1/x", "https://[2606:4700::1111]:1/x", "https://[2606:4700::1111]:1/x"),
        ("https://9.9.9.9/", "https://9.9.9.9/", "https://9.9.9.9/"),
    ])
    func `an accepted address is shown without the parts that can be secret`(
        text: String, whole: String, masked: String
    ) throws {
        let url = try WebhookURL(text)
        #expect(url.text == whole)
        #expect(url.masked == masked)
        #expect("\(url)" == masked)
    }

    @Test(arguments: [
        ("", "https://"), ("hooks.example.com", "https://"), ("ftp://a.example/", "https://"),
        ("http://a.example/", "--allow-insecure"), ("https://", "host"), ("https:///a", "host"),
        ("https://anna:secret@a.example/", "user"), ("https://a.example#b", "fragment"),
        ("https://a.example:0/", "port"), ("https://a.example:65536/", "port"), ("https://a.example:/", "port"),
        ("https://a.example:+1/", "port"), ("https://a.example\\@10.0.0.1/", "user"),
        ("https://a.example\\x/", "host"), ("https://bücher.example/", "xn--"), ("https://a.example/ä", "percent"),
        ("https://a.example/a b", "percent"), ("https://a.example/a\u{0}", "percent"), ("https://a.exa mple/", "host"),
        ("https://[::1", "IPv6"), ("https://[fe80::1%25eth0]/", "IPv6"), ("https://[10.0.0.1]/", "IPv6"),
        ("https://[::1]8/", "port"), ("https://a.example/\r\nHost: b", "percent"), ("https://a%2eexample/", "host"),
        ("https://a.example/" + String(repeating: "a", count: 2_000), "longer"),
    ])
    func `an error about a rejected address doesn't quote its secret`(text: String, words: String) {
        let fault = #expect(throws: WebhookURL.Fault.self) { try WebhookURL(text) }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
        #expect(fault?.description.contains("secret") != true)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9",
        "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.7", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1",
        "fc00::1",
        "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
        "3fff::1",
        "4000::1", "5f00::1",
    ])
    func `a private address is rejected unless it is allowed`(text: String) async throws {
        let address = try #require(IPAddress(text))
        #expect(address.privacy != nil)
        let resolver = HostResolver { _ throws(DeliveryFailure) in [IPAddress(bytes: [8, 8, 8, 8]), address] }
        // One private address among others is enough.
        for host in [text, "hooks.example.com"] {
            let failure = await #expect(throws: DeliveryFailure.self) {
                try await resolver.addresses(of: host, allowsPrivate: false)
            }
            #expect(failure?.description.contains("--allow-private") == true)
            #expect(try await resolver.addresses(of: host, allowsPrivate: true).contains(address))
        }
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1",
        "169.253.0.1",
        "172.15.0.1", "172.32.0.1", "192.0.1.1", "192.167.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111",
        "2a00:1450:4001::200e", "2001:4860:4860::8888", "2003::1",
    ])
    func `a public address is accepted`(text: String) async throws {
        let address = try #require(IPAddress(text))
        #expect(address.privacy == nil)
        #expect("\(address)" == text)
        #expect(try await HostResolver.system.addresses(of: text, allowsPrivate: false) == [address])
    }

    /// getaddrinfo resolves all of these to 127.0.0.1, and so would a connection that resolves names itself.
    @Test(arguments: ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0x7f000001", "localhost"])
    func `an odd spelling of a loopback address is recognized`(host: String) async {
        let failure = await #expect(throws: DeliveryFailure.self) {
            try await HostResolver.system.addresses(of: host, allowsPrivate: false)
        }
        #expect(failure?.description.contains("a loopback address") == true, "\(failure?.description ?? "")")
    }

    @Test func `an error says that a host can't be resolved`() async {
        let failure = await #expect(throws: DeliveryFailure.self) {
            try await HostResolver.system.addresses(of: "nowhere.invalid", allowsPrivate: true)
        }
        #expect(failure?.description.contains("can't be resolved") == true)
    }
}
