/// A metric's name, type, labels and help: a row of `docs/reference/metrics.md`.
struct MetricDescription: Hashable, Sendable {
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    var name: String
    var kind: Kind
    var labels: [String]
    var help: String

    init(_ kind: Kind, _ name: String, labels: [String] = [], _ help: String) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.help = help
    }
}

extension MetricDescription {
    static let requests = MetricDescription(
        .counter, "widget_census_http_requests_total", labels: ["route", "status"], "Requests answered.")
    static let problems = MetricDescription(
        .counter, "widget_census_http_problems_total", labels: ["code"],
        "Requests answered, by the code in the response.")
    static let requestSeconds = MetricDescription(
        .histogram, "widget_census_http_request_seconds", labels: ["route"],
        "Time from a request's head to its response, including the body.")
    static let events = MetricDescription(
        .counter, "widget_census_events_total", labels: ["outcome"], "Events of committed batches.")
    static let refusedEvents = MetricDescription(
        .counter, "widget_census_refused_events_total", labels: ["code"], "Refused events, by reason.")
    static let warnedBatches = MetricDescription(
        .counter, "widget_census_warned_batches_total", labels: ["code"],
        "Committed batches that probably contain a mistake of the app, by warning.")
    static let segmentCalls = MetricDescription(
        .counter, "widget_census_segment_calls_total", labels: ["outcome"],
        "Calls of Segment's clients: taken (about widgets), unreadable, or ignored.")
    static let conflictingEvents = MetricDescription(
        .counter, "widget_census_conflicting_events_total", "Events redelivered with different content.")
    static let commitSeconds = MetricDescription(
        .histogram, "widget_census_commit_seconds", "Time for PostgreSQL to commit one group of requests.")
    static let commitRequests = MetricDescription(
        .histogram, "widget_census_commit_requests", "Requests that shared one commit.")
    static let commitRows = MetricDescription(
        .histogram, "widget_census_commit_rows", "Rows written by one commit, including those stored before.")
    static let commitFailures = MetricDescription(
        .counter, "widget_census_commit_failures_total", "Groups of requests that PostgreSQL did not accept.")
    static let waitingRequests = MetricDescription(
        .gauge, "widget_census_waiting_requests", "Requests that wait to be committed.")
    static let waitingBytes = MetricDescription(
        .gauge, "widget_census_waiting_bytes", "Memory that those requests hold.")
    static let turnedAway = MetricDescription(
        .counter, "widget_census_turned_away_total", labels: ["reason"],
        "Requests that got 503 overloaded, by the resource that was short.")
    static let staleGallery = MetricDescription(
        .counter, "widget_census_gallery_stale_total", labels: ["form"],
        "Gallery responses given while PostgreSQL was away or slow.")
    static let requestBytes = MetricDescription(
        .gauge, "widget_census_request_bytes", "Memory reserved for requests in progress.")
    static let requestBytesMaximum = MetricDescription(
        .gauge, "widget_census_request_bytes_max", "How much memory requests can reserve.")
    static let heavyWaiting = MetricDescription(
        .gauge, "widget_census_heavy_waiting", "Large bodies that wait to be decoded.")
    static let connections = MetricDescription(
        .gauge, "widget_census_connections", "Clients' connections.")
    static let connectionsMaximum = MetricDescription(
        .gauge, "widget_census_connections_max", "Maximum of clients' connections.")
    static let connectionsOpened = MetricDescription(
        .counter, "widget_census_connections_opened_total", "Clients' connections accepted.")
    static let connectionsFull = MetricDescription(
        .counter, "widget_census_connections_full_total",
        "Times that the maximum was reached and further clients had to wait.")
    static let connectionsCut = MetricDescription(
        .counter, "widget_census_connections_cut_total",
        "Connections closed to make room for others while they waited for their clients.")
    static let acceptErrors = MetricDescription(
        .counter, "widget_census_accept_errors_total", "Connections that could not be accepted.")
    static let answersUntaken = MetricDescription(
        .counter, "widget_census_answers_untaken_total",
        "Connections ended because their clients stopped reading a response.")
    static let keyBytes = MetricDescription(
        .gauge, "widget_census_key_bytes", labels: ["key"],
        "Inflated bytes of bodies, of the keys that used the most in this minute and the last.")
    static let keyProcessor = MetricDescription(
        .gauge, "widget_census_key_processor_seconds", labels: ["key"],
        "Processor time for reading the bodies of those keys.")
    static let keyStore = MetricDescription(
        .gauge, "widget_census_key_store_seconds", labels: ["key"],
        "Time for which queries of those keys held PostgreSQL.")
    static let keyRefused = MetricDescription(
        .gauge, "widget_census_key_refused", labels: ["key"], "Requests of those keys that were turned away.")
    static let spoolBatches = MetricDescription(
        .gauge, "widget_census_spool_batches", "Batches on this node's disk that wait for PostgreSQL.")
    static let spoolBytes = MetricDescription(
        .gauge, "widget_census_spool_bytes", "Bytes in the spool, including batches that are set aside.")
    static let spoolLimit = MetricDescription(
        .gauge, "widget_census_spool_limit_bytes", "How many bytes the spool can hold; 0 without one.")
    static let spoolSetAside = MetricDescription(
        .gauge, "widget_census_spool_set_aside", "Batches in the spool that could not be stored.")
    static let spooledBatches = MetricDescription(
        .counter, "widget_census_spooled_batches_total", "Batches that the spool took.")
    static let spoolDrained = MetricDescription(
        .counter, "widget_census_spool_drained_batches_total", "Batches that went from the spool to PostgreSQL.")
    static let spoolFailures = MetricDescription(
        .counter, "widget_census_spool_failures_total", "Batches that the spool did not take.")
    static let spoolLosses = MetricDescription(
        .counter, "widget_census_spool_lost_batches_total",
        "Batches that a damaged file of the spool did not return, at most.")
    static let spoolDamagedFiles = MetricDescription(
        .gauge, "widget_census_spool_damaged_files", "Damaged files, renamed in the spool's folder.")
    static let lostTraceSpans = MetricDescription(
        .counter, "widget_census_lost_trace_spans_total", "Trace spans that the collector did not get.")
    static let storeUp = MetricDescription(
        .gauge, "widget_census_store_up", "1 while PostgreSQL answers, else 0.")
    static let storeDurable = MetricDescription(
        .gauge, "widget_census_store_durable",
        "1 while a crash of PostgreSQL's machine loses nothing committed, else 0; absent while PostgreSQL is away."
    )
    static let pendingDevices = MetricDescription(
        .gauge, "widget_census_pending_devices",
        "Entries in the reconciler's queue, at most 100000; absent while PostgreSQL is away.")
    static let pendingSeconds = MetricDescription(
        .gauge, "widget_census_pending_seconds",
        "How long the oldest of these entries has waited, 0 if none waits; absent while PostgreSQL is away.")
    static let devicesSetAside = MetricDescription(
        .gauge, "widget_census_devices_set_aside",
        "Devices that can't be folded and keep their numbers; absent while PostgreSQL is away.")
    static let devicesImplausible = MetricDescription(
        .gauge, "widget_census_devices_implausible",
        "Devices that claim more than a phone can, and are not folded; absent while PostgreSQL is away.")
    static let appsNotClosed = MetricDescription(
        .gauge, "widget_census_apps_not_closed", labels: ["fault"],
        "Apps whose days the last night could not close; absent while PostgreSQL is away.")
    static let lastNight = MetricDescription(
        .gauge, "widget_census_last_night_timestamp_seconds",
        "When a night last ended without a failure; absent while PostgreSQL is away, and before the first.")
    static let openLosses = MetricDescription(
        .gauge, "widget_census_losses_open",
        "Incidents of mass loss that nobody has acknowledged or closed; absent while PostgreSQL is away.")
    static let webhookDeliveries = MetricDescription(
        .gauge, "widget_census_webhook_deliveries_waiting",
        "Messages to webhooks that are still to be delivered; absent while PostgreSQL is away.")
    static let webhooksFailing = MetricDescription(
        .gauge, "widget_census_webhooks_failing",
        "Webhooks that did not accept the last message; absent while PostgreSQL is away.")
    static let poolConnections = MetricDescription(
        .gauge, "widget_census_pool_connections", labels: ["state"], "Connections to PostgreSQL.")
    static let poolMaximum = MetricDescription(
        .gauge, "widget_census_pool_connections_max", "Maximum of connections to PostgreSQL.")
    static let poolWaiting = MetricDescription(
        .gauge, "widget_census_pool_waiting", "Tasks that wait for a connection.")
    static let poolOpened = MetricDescription(
        .counter, "widget_census_pool_opened_total", "Connections opened.")
    static let poolOpenFailures = MetricDescription(
        .counter, "widget_census_pool_open_failures_total", "Connections that could not be opened.")
    static let poolRefused = MetricDescription(
        .counter, "widget_census_pool_refused_total", "Tasks that got no connection in time.")
    static let buildInfo = MetricDescription(
        .gauge, "widget_census_build_info", labels: ["version", "schema", "configuration"], "Always 1.")
    static let residentMemory = MetricDescription(
        .gauge, "process_resident_memory_bytes", "Resident memory.")
    static let processorTime = MetricDescription(
        .counter, "process_cpu_seconds_total", "Processor time used by the program, and by the system on its behalf.")
    static let startTime = MetricDescription(
        .gauge, "process_start_time_seconds", "When the process started, in seconds since 1970.")

    /// In the order in which they are written.
    static let all: [MetricDescription] = [
        requests,
        problems,
        requestSeconds,
        events,
        refusedEvents,
        warnedBatches,
        segmentCalls,
        conflictingEvents,
        commitSeconds,
        commitRequests,
        commitRows,
        commitFailures,
        turnedAway,
        staleGallery,
        waitingRequests,
        waitingBytes,
        requestBytes,
        requestBytesMaximum,
        heavyWaiting,
        connections,
        connectionsMaximum,
        connectionsOpened,
        connectionsFull,
        connectionsCut,
        acceptErrors,
        answersUntaken,
        keyBytes,
        keyProcessor,
        keyStore,
        keyRefused,
        spoolBatches,
        spoolBytes,
        spoolLimit,
        spoolSetAside,
        spooledBatches,
        spoolDrained,
        spoolFailures,
        spoolLosses,
        spoolDamagedFiles,
        storeUp,
        storeDurable,
        pendingDevices,
        pendingSeconds,
        devicesSetAside,
        devicesImplausible,
        appsNotClosed,
        lastNight,
        openLosses,
        webhookDeliveries,
        webhooksFailing,
        poolConnections,
        poolMaximum,
        poolWaiting,
        poolOpened,
        poolOpenFailures,
        poolRefused,
        buildInfo,
        residentMemory,
        processorTime,
        startTime,
    ]
}
