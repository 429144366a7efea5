package main

import (
	"strings"
	"testing"
)

// The key is said in the store's own language, named in any case; a width is spelled out, and so is a count of one.
func TestSizeKey(t *testing.T) {
	for store, want := range map[string]string{
		"":         "The key in Apache Cassandra: PRIMARY KEY ((entity, bucket), row_id) WITH CLUSTERING ORDER BY (row_id DESC).",
		"ScyllaDB": "The key in ScyllaDB: PRIMARY KEY ((entity, bucket), row_id) WITH CLUSTERING ORDER BY (row_id DESC).",
		"DynamoDB": "The key in DynamoDB: partition key entity#bucket, sort key time, read newest first with ScanIndexForward = false.",
		"HBASE":    "The key in HBase: row key entity#bucket#reversed-time, an event a row; where a whole bucket is one row, entity#bucket with reversed-time as the column, and the limits of a row are the bucket's.",
		"CosmosDB": "The key in Azure Cosmos DB: partition key entity#bucket, or the hierarchical one /entity, /bucket, with ORDER BY time DESC.",
	} {
		args := []string{"size", "-rate", "1/h", "-row-bytes", "1"}
		if store != "" {
			args = append(args, "-store", store)
		}
		out, said, code := execute(t, args...)
		if code != 0 || !strings.Contains(out, "\n"+want+"\n") {
			t.Errorf("%s: exit %d: %s%s\nlacks %q", store, code, out, said, want)
		}
		if cql := store == "" || store == "ScyllaDB"; strings.Contains(out, "CLUSTERING") != cql {
			t.Errorf("%s: CQL for a store that speaks none:\n%s", store, out)
		}
	}
	if _, said, code := execute(t, "size", "-rate", "1/s", "-store", "spanner"); code != 2 || !strings.Contains(said, "want one of cassandra, scylladb, bigtable, hbase, dynamodb, cosmosdb, netflix") {
		t.Errorf("exit %d: %s", code, said)
	}
	var s struct {
		Key key
	}
	if answered(t, &s, "size", "-rate", "1000/s", "-row-bytes", "100000", "-widths", "20m", "-store", "DYNAMODB"); s.Key.Store != "DynamoDB" || !strings.HasPrefix(s.Key.Key, "partition key entity#bucket#shard, sort key time") {
		t.Errorf("%+v", s)
	}
}

func TestSizeWords(t *testing.T) {
	for want, args := range map[string]string{
		"Take a bucket of 20 minutes.\n":                                                     "-rate 266047/h -limit rows>100000 -widths 20m",
		"Take a bucket of one year.\n":                                                       "-rate 1/h",
		"Take a bucket of 20 minutes, split in 1,201 hash shards.\n":                         "-rate 1000/s -row-bytes 100000 -widths 20m",
		"A partition of 1 row has 1 byte and takes 1 hour to fill.\n":                        "-rate 1/h -rows 1 -row-bytes 1",
		"(at most 100 MB): broken, 200.00 times the limit\n":                                 "-rate 10/s -row-bytes 200 -rows 100000000 -limit bytes>100MB",
		"of 1,000,000,000 rows not even rows of one byte keep":                               "-rows 1000000000 -limit bytes>100MB",
		"a row may have up to 1 byte.\n":                                                     "-rows 100000 -limit bytes>100000B",
		": 1 row fits.\n":                                                                    "-rows 1 -row-bytes 100 -limit bytes>100B",
		"The longest bucket that keeps every limit: 0.999 seconds (cassandra bytes-advice).": "-rate 1000/s -row-bytes 100000",
	} {
		if out, said, code := execute(t, append([]string{"size"}, strings.Fields(args)...)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d: %s%s\nlacks %q", args, code, out, said, want)
		}
	}
}

// A report for a store that speaks no CQL holds none.
func TestTraceKey(t *testing.T) {
	rows := file(t, "rows.csv", "entity,ts\na,2026-01-01T00:00:00Z\na,2026-01-02T00:00:00Z\n")
	for store, want := range map[string]string{
		"dynamoDB":  "## The key\n\nFor DynamoDB, in its own words; names are placeholders.\n\n```text\nDynamoDB: partition key entity#bucket, sort key time, read newest first with ScanIndexForward = false\n",
		"Bigtable":  "## The key\n\nFor Bigtable, in its own words; names are placeholders.\n\n```text\nBigtable: row key entity#bucket#reversed-time",
		"CASSANDRA": "## The key as CQL\n\nFor Apache Cassandra and its kin; names and types are placeholders.\n\n```text\nCREATE TABLE rows_by_entity (\n",
	} {
		text := string(rendered(t, "-latest", "1", "-store", store, rows)["README.md"])
		if !strings.Contains(text, want) || strings.Contains(text, "CREATE TABLE") != (store == "CASSANDRA") {
			t.Errorf("%s: %s\nlacks %q", store, text, want)
		}
		if !strings.Contains(text, "the one entity with 1 row or more the latest row is 1 partition away") {
			t.Errorf("%s: %.500s", store, text)
		}
	}
}

// A store's own partitions may grow, too.
func TestGrownPartitions(t *testing.T) {
	list := file(t, "list.csv", "bytes\n50000000\n20000000\n")
	for growth, want := range map[string]string{"1": "broken by 0 of 2 partitions", "3": "broken by 1 of 2 partitions"} {
		if out, said, code := execute(t, "size", "-partitions", list, "-growth", growth, "-limit", "bytes > 100MB"); code != 0 || !strings.Contains(out, want) {
			t.Errorf("grown %s times: exit %d: %s%s", growth, code, out, said)
		}
	}
}
