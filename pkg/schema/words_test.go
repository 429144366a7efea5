package schema

import (
	"strings"
	"testing"
)

// column is a column as a statement defines it.
func column(t *testing.T, definition string) Column {
	t.Helper()
	return parse(t, "CREATE TABLE t ("+definition+" PRIMARY KEY)").Tables[0].Columns[0]
}

// Names that people give to slices of time, and names that only sound like one.
func TestNames(t *testing.T) {
	for sure, names := range map[certainty]string{
		surely: `bucket text, time_bucket timestamp, bucket_id int, year_month text, yearmonth int, yearMonth text, yyyymm int, yyyymmdd int, yyyy_mm_dd date,
			day date, day text, event_day date, day_bucket int, hour timestamp, hour_bucket bigint, week int, week_start date, start_of_month date,
			month int, created_month text, month_id int, quarter text, year int, fiscal_year int, date date, event_date text, date_hour text,
			date_bucket date, time_slot int, slot_start bigint, epoch_day int, epochday int, window_start timestamp, dt text, "Month" int,
			bucket_2 int, log_day text, report_month text, partition_day date, minute int, reported date`,
		likely: `release_year int, flight_day int, season_month text, slot int, epoch bigint, period text, window int, expiry_date date, due_date date`,
		unlikely: `year_of_birth int, birth_year int, birthday date, date_of_birth date, birth_date text, month_name text, day_rate int, hourly_hour_price int,
			day_of_week int, hour_of_day int, bucket_name text, s3_bucket text, year_founded int, model_year int, weekday int, expiry_month int,
			day_count int, hour_limit int, bucket_url text, anniversary date, window_size int`,
		never: `day_rate decimal, day uuid, bucket uuid, bucket blob, month list<int>, day boolean, hour time, hours double, at timestamp, date timestamp,
			created_at timestamp, id int, name text, yearling text, daylight int, monthly text, hours int, holiday_home uuid, time_zone text, dated text`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			c := column(t, name)
			if got := c.slice(); got != sure {
				t.Errorf("%s %v: %d, want %d", c.Name, c.Type, got, sure)
			}
		}
	}
	for want, names := range map[bool]string{
		true: `at timestamp, id timeuuid, ts bigint, event_time bigint, timestamp text, created_at text, createdat bigint, time_ms bigint, ts_millis bigint,
			"when" text, created_on text, date_created text, unix_time double, day date, time_bucket int`,
		false: `birthday date, born timestamp, created_by text, updated_by text, time_zone text, response_time int, cook_time int, lifetime int, body text,
			at blob, id uuid, rate double, created_at list<int>, sometimes int, looking text`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			c := column(t, name)
			if got := c.time() >= likely; got != want {
				t.Errorf("%s %v: a time %v, want %v", c.Name, c.Type, got, want)
			}
		}
	}
	for want, names := range map[bool]string{
		true:  `partition_nr bigint, part int, page int, chunk_number int, block_id int, seq bigint, sequence_nr bigint, segment int, bucket int`,
		false: `page text, segment text, shard int, page_count int, block uuid, part_name int, batch_size int`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			c := column(t, name)
			if got := c.count() == surely; got != want {
				t.Errorf("%s %v: a part's number %v, want %v", c.Name, c.Type, got, want)
			}
		}
	}
}
