// A server that one can write in an afternoon with Go's net/http and pgx, for Benchmarks/ingest/beside. It reads a batch, replaces ids
// by hashes, and answers once the rows are committed, in commits that requests share. It checks, counts and reconciles nothing.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

type batch struct {
	App struct {
		ID      string `json:"id"`
		Version string `json:"version"`
	} `json:"app"`
	Device struct {
		ID       string `json:"id"`
		Platform string `json:"platform"`
		OS       string `json:"os_version"`
	} `json:"device"`
	Installation struct {
		ID         string     `json:"id"`
		LaunchedAt *time.Time `json:"first_launched_at"`
		Rebooted   *bool      `json:"rebooted"`
	} `json:"installation"`
	Events []struct {
		ID      string    `json:"id"`
		Type    string    `json:"type"`
		At      time.Time `json:"at"`
		Widgets []widget  `json:"widgets"`
	} `json:"events"`
}

type widget struct {
	Configuration string `json:"configuration,omitempty"`
	Count         int    `json:"count,omitempty"`
	Family        string `json:"family,omitempty"`
	Intent        string `json:"intent,omitempty"`
	Kind          string `json:"kind"`
}

type waiting struct {
	rows [][]interface{}
	done chan error
}

var columns = []string{
	"device_id", "event_id", "occurred_at", "corrected_at", "received_at", "app_number", "installation_id", "type", "surface",
	"platform", "os_version", "app_version", "channel", "rebooted", "first_launched_at", "content",
}

const merge = `insert into reference.observation (
    device_id, event_id, occurred_at, corrected_at, received_at, app_number, installation_id, type, surface, platform,
    os_version, app_version, channel, rebooted, first_launched_at, content)
select a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, content::json
from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::uuid[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::timestamptz[], $16::text[])
    as sent (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, content)
on conflict do nothing`

// Merge up to this many rows; copy more.
const rowsToCopy = 200

func hash(purpose, app, id string) [16]byte {
	mac := hmac.New(sha256.New, []byte("a secret of the benchmark"))
	fmt.Fprintf(mac, "%s\x00%s\x00%s", purpose, app, id)
	var short [16]byte
	copy(short[:], mac.Sum(nil))
	return short
}

func rows(body []byte) ([][]interface{}, error) {
	var sent batch
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, err
	}
	device, installation := hash("device", sent.App.ID, sent.Device.ID), hash("installation", sent.App.ID, sent.Installation.ID)
	received := time.Now()
	all := make([][]interface{}, 0, len(sent.Events))
	for _, event := range sent.Events {
		content, err := json.Marshal(map[string][]widget{"widgets": event.Widgets})
		if err != nil {
			return nil, err
		}
		all = append(all, []interface{}{
			device, event.ID, event.At, event.At, received, int32(1), installation, event.Type, "widget", sent.Device.Platform,
			sent.Device.OS, sent.App.Version, "production", sent.Installation.Rebooted, sent.Installation.LaunchedAt, string(content),
		})
	}
	return all, nil
}

func store(pool *pgxpool.Pool, all [][]interface{}) error {
	if len(all) >= rowsToCopy {
		_, err := pool.CopyFrom(context.Background(), pgx.Identifier{"reference", "observation"}, columns, pgx.CopyFromRows(all))
		return err
	}
	_, err := pool.Exec(context.Background(), merge, arrays(all)...)
	return err
}

func arrays(all [][]interface{}) []interface{} {
	var devices, installations [][16]byte
	var ids, types, surfaces, platforms, versions, apps, channels, contents []string
	var occurred, corrected, received []time.Time
	var rebooted []*bool
	var launched []*time.Time
	var numbers []int32
	for _, row := range all {
		devices, ids = append(devices, row[0].([16]byte)), append(ids, row[1].(string))
		occurred, corrected = append(occurred, row[2].(time.Time)), append(corrected, row[3].(time.Time))
		received, numbers = append(received, row[4].(time.Time)), append(numbers, row[5].(int32))
		installations, types = append(installations, row[6].([16]byte)), append(types, row[7].(string))
		surfaces, platforms = append(surfaces, row[8].(string)), append(platforms, row[9].(string))
		versions, apps = append(versions, row[10].(string)), append(apps, row[11].(string))
		channels, rebooted = append(channels, row[12].(string)), append(rebooted, row[13].(*bool))
		launched, contents = append(launched, row[14].(*time.Time)), append(contents, row[15].(string))
	}
	return []interface{}{devices, ids, occurred, corrected, received, numbers, installations, types, surfaces, platforms, versions,
		apps, channels, rebooted, launched, contents}
}

// Commits all waiting batches together.
func commit(pool *pgxpool.Pool, queue chan waiting) {
	for first := range queue {
		group := []waiting{first}
		all := first.rows
	gather:
		for len(all) < 10_000 {
			select {
			case next := <-queue:
				group, all = append(group, next), append(all, next.rows...)
			default:
				break gather
			}
		}
		err := store(pool, all)
		for _, one := range group {
			one.done <- err
		}
	}
}

func main() {
	port := flag.Int("port", 18096, "to listen on, of 127.0.0.1")
	database := flag.String("database", "", "libpq keywords")
	key := flag.String("key", "", "that requests show")
	flag.Parse()
	pool, err := pgxpool.Connect(context.Background(), *database)
	if err != nil {
		log.Fatal(err)
	}
	queue := make(chan waiting, 1024)
	for committer := 0; committer < 2; committer++ {
		go commit(pool, queue)
	}
	http.HandleFunc("/livez", func(answer http.ResponseWriter, request *http.Request) { io.WriteString(answer, "alive\n") })
	http.HandleFunc("/v1/events", func(answer http.ResponseWriter, request *http.Request) {
		if request.Header.Get("Authorization") != "Bearer "+*key {
			http.Error(answer, "unknown key", http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, 1<<20))
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadRequest)
			return
		}
		all, err := rows(body)
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadRequest)
			return
		}
		one := waiting{all, make(chan error, 1)}
		queue <- one
		if err := <-one.done; err != nil {
			log.Print(err)
			http.Error(answer, "not stored", http.StatusServiceUnavailable)
			return
		}
		answer.Header().Set("Content-Type", "application/json")
		answer.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(answer, `{"accepted":%d,"rejected":[]}`, len(all))
	})
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
