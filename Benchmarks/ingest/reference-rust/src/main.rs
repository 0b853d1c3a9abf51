//! A server that one can write in an afternoon with Rust's hyper and tokio-postgres, for Benchmarks/ingest/beside. It reads a batch,
//! replaces ids by hashes, and answers once the rows are committed, in commits that requests share. It checks, counts and reconciles
//! nothing.
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use hyper::service::{make_service_fn, service_fn};
use hyper::{Body, Method, Request, Response, Server, StatusCode};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, Mutex};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{to_sql_checked, IsNull, ToSql, Type};
use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

#[derive(Deserialize)]
struct App {
    id: String,
    version: String,
}
#[derive(Deserialize)]
struct Device {
    id: String,
    platform: String,
    os_version: Option<String>,
}
#[derive(Deserialize)]
struct Installation {
    id: String,
    first_launched_at: Option<String>,
    rebooted: Option<bool>,
}
#[derive(Deserialize, Serialize)]
struct Widget {
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<String>,
    kind: String,
}
#[derive(Deserialize)]
struct Event {
    id: String,
    r#type: String,
    at: String,
    widgets: Vec<Widget>,
}
#[derive(Deserialize)]
struct Batch {
    app: App,
    device: Device,
    installation: Installation,
    events: Vec<Event>,
}
#[derive(Serialize)]
struct Content<'a> {
    widgets: &'a [Widget],
}

struct Row {
    device: Uuid,
    event: String,
    at: DateTime<Utc>,
    received: DateTime<Utc>,
    installation: Uuid,
    kind: String,
    platform: String,
    os: Option<String>,
    version: String,
    rebooted: Option<bool>,
    launched: Option<DateTime<Utc>>,
    content: String,
}

#[derive(Debug)]
struct JsonText<'a>(&'a str);
impl ToSql for JsonText<'_> {
    fn to_sql(&self, _: &Type, out: &mut bytes::BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(self.0.as_bytes());
        Ok(IsNull::No)
    }
    fn accepts(ty: &Type) -> bool {
        *ty == Type::JSON
    }
    to_sql_checked!();
}

struct Waiting {
    rows: Vec<Row>,
    done: oneshot::Sender<bool>,
}

const COLUMNS: &str = "device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, \
    platform, os_version, app_version, channel, rebooted, first_launched_at, content";
const ROWS_TO_COPY: usize = 200;

fn hash(purpose: &str, app: &str, id: &str) -> Uuid {
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(b"a secret of the benchmark").unwrap();
    for part in [purpose, "\0", app, "\0", id] {
        mac.update(part.as_bytes());
    }
    Uuid::from_slice(&mac.finalize().into_bytes()[..16]).unwrap()
}

fn time(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text).map(|time| time.with_timezone(&Utc)).map_err(|error| error.to_string())
}

fn rows(body: &[u8]) -> Result<Vec<Row>, String> {
    let sent: Batch = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let device = hash("device", &sent.app.id, &sent.device.id);
    let installation = hash("installation", &sent.app.id, &sent.installation.id);
    let received = Utc::now();
    let launched = sent.installation.first_launched_at.as_deref().map(time).transpose()?;
    let mut all = Vec::with_capacity(sent.events.len());
    for event in sent.events {
        let content = serde_json::to_string(&Content { widgets: &event.widgets }).map_err(|error| error.to_string())?;
        all.push(Row {
            device,
            at: time(&event.at)?,
            event: event.id,
            received,
            installation,
            kind: event.r#type,
            platform: sent.device.platform.clone(),
            os: sent.device.os_version.clone(),
            version: sent.app.version.clone(),
            rebooted: sent.installation.rebooted,
            launched,
            content,
        });
    }
    Ok(all)
}

async fn store(client: &Client, merge: &Statement, rows: &[&Row]) -> Result<(), tokio_postgres::Error> {
    if rows.len() >= ROWS_TO_COPY {
        let sink = client.copy_in(&format!("copy reference.observation ({COLUMNS}) from stdin (format binary)")).await?;
        let types = [
            Type::UUID, Type::TEXT, Type::TIMESTAMPTZ, Type::TIMESTAMPTZ, Type::TIMESTAMPTZ, Type::INT4, Type::UUID, Type::TEXT,
            Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT, Type::BOOL, Type::TIMESTAMPTZ, Type::JSON,
        ];
        let writer = BinaryCopyInWriter::new(sink, &types);
        let mut writer = Box::pin(writer);
        for row in rows {
            writer
                .as_mut()
                .write(&[
                    &row.device, &row.event, &row.at, &row.at, &row.received, &1i32, &row.installation, &row.kind, &"widget",
                    &row.platform, &row.os, &row.version, &"production", &row.rebooted, &row.launched, &JsonText(&row.content),
                ])
                .await?;
        }
        writer.as_mut().finish().await?;
        return Ok(());
    }
    fn each<'a, T>(rows: &[&'a Row], value: impl Fn(&'a Row) -> T) -> Vec<T> {
        rows.iter().map(|row| value(row)).collect()
    }
    client
        .execute(
            merge,
            &[
                &each(rows, |row| row.device), &each(rows, |row| row.event.as_str()), &each(rows, |row| row.at),
                &each(rows, |row| row.at), &each(rows, |row| row.received), &each(rows, |_| 1i32),
                &each(rows, |row| row.installation), &each(rows, |row| row.kind.as_str()), &each(rows, |_| "widget"),
                &each(rows, |row| row.platform.as_str()), &each(rows, |row| row.os.as_deref()),
                &each(rows, |row| row.version.as_str()), &each(rows, |_| "production"), &each(rows, |row| row.rebooted),
                &each(rows, |row| row.launched), &each(rows, |row| row.content.as_str()),
            ],
        )
        .await?;
    Ok(())
}

/// Commits all waiting batches together.
async fn commit(client: Client, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>) {
    let merge = client
        .prepare(&format!(
            "insert into reference.observation ({COLUMNS})
            select a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, content::json
            from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::uuid[],
                $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::timestamptz[],
                $16::text[]) as sent (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, content)
            on conflict do nothing"
        ))
        .await
        .expect("prepare");
    loop {
        let mut group = Vec::new();
        {
            let mut queue = queue.lock().await;
            let Some(first) = queue.recv().await else { return };
            let mut count = first.rows.len();
            group.push(first);
            while count < 10_000 {
                let Ok(next) = queue.try_recv() else { break };
                count += next.rows.len();
                group.push(next);
            }
        }
        let all: Vec<&Row> = group.iter().flat_map(|one| one.rows.iter()).collect();
        let outcome = store(&client, &merge, &all).await;
        if let Err(error) = &outcome {
            eprintln!("{error}");
        }
        for one in group {
            let _ = one.done.send(outcome.is_ok());
        }
    }
}

fn answer(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}

async fn respond(request: Request<Body>, key: Arc<String>, queue: mpsc::Sender<Waiting>) -> Result<Response<Body>, Infallible> {
    Ok(match (request.method(), request.uri().path()) {
        (&Method::GET, "/livez") => answer(StatusCode::OK, "alive\n"),
        (&Method::POST, "/v1/events") => {
            if request.headers().get("authorization").map(|value| value.as_bytes()) != Some(key.as_bytes()) {
                return Ok(answer(StatusCode::UNAUTHORIZED, "unknown key"));
            }
            let Ok(body) = hyper::body::to_bytes(request.into_body()).await else {
                return Ok(answer(StatusCode::BAD_REQUEST, "no body"));
            };
            let rows = match rows(&body) {
                Ok(rows) => rows,
                Err(error) => return Ok(answer(StatusCode::BAD_REQUEST, error)),
            };
            let count = rows.len();
            let (done, result) = oneshot::channel();
            if queue.send(Waiting { rows, done }).await.is_err() || result.await != Ok(true) {
                return Ok(answer(StatusCode::SERVICE_UNAVAILABLE, "not stored"));
            }
            let mut response = answer(StatusCode::ACCEPTED, format!("{{\"accepted\":{count},\"rejected\":[]}}"));
            response.headers_mut().insert("content-type", "application/json".parse().unwrap());
            response
        }
        _ => answer(StatusCode::NOT_FOUND, "no such path"),
    })
}

/// Arguments: a port on 127.0.0.1, libpq keywords, the key that requests must carry.
#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (sender, receiver) = mpsc::channel(1024);
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..2 {
        let (client, connection) = tokio_postgres::connect(&arguments[2], NoTls).await.expect("connect");
        tokio::spawn(connection);
        tokio::spawn(commit(client, receiver.clone()));
    }
    let key = Arc::new(format!("Bearer {}", arguments[3]));
    let make = make_service_fn(move |_| {
        let (key, sender) = (key.clone(), sender.clone());
        async move { Ok::<_, Infallible>(service_fn(move |request| respond(request, key.clone(), sender.clone()))) }
    });
    let address = ([127, 0, 0, 1], arguments[1].parse().expect("a port")).into();
    Server::bind(&address).tcp_nodelay(true).serve(make).await.expect("serve");
}
