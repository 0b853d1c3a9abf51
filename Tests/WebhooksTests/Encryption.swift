import CensusCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import PostgresTesting
import Synchronization
import Testing

@testable import CensusStore
@testable import Webhooks

/// A receiver with a certificate for hooks.example.test, at a local address.
@Suite struct `Encrypted deliveries` {
    @Test func `the certificate must match the host's name, not the address of the connection`() async throws {
        try await withReceiver { port, certificate, names in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates([certificate])
            #expect(await send(to: "hooks.example.test", port, tls) == .answered(status: 200, retryAfter: nil))
            #expect(await send(to: "other.example.test", port, tls) == .failed(.tls))
            #expect(await send(to: "127.0.0.1", port, tls) == .failed(.tls))
            // SNI only has host names.
            #expect(names.seen.contains("hooks.example.test"))
        }
    }

    @Test func `a certificate of an unknown authority is rejected`() async throws {
        try await withReceiver { port, _, _ in
            #expect(await send(to: "hooks.example.test", port, .makeClientConfiguration()) == .failed(.tls))
        }
    }

    private func send(to host: String, _ port: Int, _ tls: TLSConfiguration) async -> SendResult {
        let resolver = HostResolver { _ throws(DeliveryFailure) in [IPAddress(bytes: [127, 0, 0, 1])] }
        let delivery = WebhookDelivery(
            webhookNumber: 1, messageID: "msg_1", type: "webhook.test", payload: "{}", attempt: 1, target: nil,
            begunAt: .now)
        let target = WebhookDelivery.Target(
            url: "https://\(host):\(port)/", secret: WebhookSecret(), allowsPrivate: true)
        return await WebhookSender(version: "1", resolver: resolver, tls: tls, limit: .seconds(100)).send(
            delivery, to: target)
    }

    private func withReceiver(
        _ body: (_ port: Int, _ certificate: NIOSSLCertificate, _ names: ServerNames) async throws -> Void
    ) async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        try await TestProcess.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            key, "-out", certificate, "-days", "2", "-subj", "/CN=hooks.example.test", "-addext",
            "subjectAltName=DNS:hooks.example.test")
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))))
        let names = ServerNames()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    try handlers.addHandler(
                        ByteToMessageHandler(
                            SNIHandler { name in
                                names.add(name)
                                return channel.eventLoop.makeSucceededVoidFuture()
                            }))
                    try handlers.addHandler(NIOSSLServerHandler(context: context))
                    try handlers.configureHTTPServerPipeline()
                    try handlers.addHandler(SaysYes())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(server.localAddress?.port ?? 0, try #require(chain.first), names)
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }
}

/// The server names that clients requested.
final class ServerNames: Sendable {
    private let names = Mutex<[String]>([])

    var seen: [String] { names.withLock { $0 } }

    func add(_ name: SNIResult) {
        if case .hostname(let name) = name { names.withLock { $0.append(name) } }
    }
}

/// Returns 200 for each request.
private final class SaysYes: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
