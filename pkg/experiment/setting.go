// Package experiment answers one question at a time: from the parameters of a setting to a result of tables, figures,
// findings and warnings. An experiment is one file that registers itself; the report, the notebooks and the tests go
// over All.
package experiment

import (
	"fmt"
	"time"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Setting is the parameters that all experiments share. Times are microseconds since 1970, UTC.
type Setting struct {
	Seed       uint64 // of every random draw
	Posts      int64  // posts of the ordinary users
	Users      int    // ordinary users
	Sample     int    // users whose reads are executed, drawn without replacement
	Latest     int    // posts that the first read asks for
	RowBytes   int    // a post
	PageBytes  int    // a page
	PageHeader int    // bytes of a page that hold no rows
	RowHeader  int    // bytes before each row
	EntryBytes int    // an index entry
	From, To   int64  // posts are written in [From, To)
	RangeFrom  int64  // the range read asks for [RangeFrom, RangeTo)
	RangeTo    int64  //
	Account    int64  // posts of the big account
}

// Lesson is the published lesson's setting.
func Lesson() Setting {
	at := func(year int, month time.Month) int64 {
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	}
	return Setting{
		Seed: 8192, Posts: 2_000_000, Users: 20_000, Sample: 1_000, Latest: 20,
		RowBytes: 200, PageBytes: 8192, EntryBytes: 16,
		From: at(2025, 1), To: at(2026, 1), RangeFrom: at(2025, 3), RangeTo: at(2025, 4),
		Account: 1_000_000,
	}
}

// Validate reports the first parameter that makes no sense, and what would.
func (s Setting) Validate() error {
	format := s.Page()
	switch {
	case s.Sample < 1:
		return fmt.Errorf("sample: %d users: want at least 1", s.Sample)
	case s.Users >= 1 && s.Sample > s.Users:
		return fmt.Errorf("sample: %d users of %d: cannot ask more users than there are", s.Sample, s.Users)
	case s.Latest < 1:
		return fmt.Errorf("latest: %d posts: want at least 1", s.Latest)
	case s.Account < 1:
		return fmt.Errorf("account: %d posts: want at least 1", s.Account)
	case s.RowBytes < 1:
		return fmt.Errorf("row bytes: %d: want at least 1", s.RowBytes)
	case s.PageBytes < 1 || s.PageBytes > 1<<30:
		return fmt.Errorf("page bytes: %d: want 1 to %d", s.PageBytes, 1<<30)
	case s.PageHeader < 0 || s.PageHeader >= s.PageBytes:
		return fmt.Errorf("page header: %d bytes: want 0 to less than the page's %d", s.PageHeader, s.PageBytes)
	case s.RowHeader < 0:
		return fmt.Errorf("row header: %d bytes: want 0 or more", s.RowHeader)
	case format.RowsPerPage(s.RowBytes) < 1:
		return fmt.Errorf("a row of %d bytes does not fit into a page with room for %d", format.Takes(s.RowBytes), format.Room())
	case s.EntryBytes < 1 || format.Fanout(s.EntryBytes) < 2:
		return fmt.Errorf("entry bytes: %d: want 1 to half a page's room of %d", s.EntryBytes, format.Room())
	case s.To-s.From < day:
		return fmt.Errorf("posts are written from %s to %s: want at least a day", Date(s.From), Date(s.To))
	case s.RangeTo <= s.RangeFrom:
		return fmt.Errorf("the range from %s to %s is empty", Date(s.RangeFrom), Date(s.RangeTo))
	case s.RangeFrom < s.From || s.RangeTo > s.To:
		return fmt.Errorf("the range from %s to %s lies outside the posts' time, %s to %s", Date(s.RangeFrom), Date(s.RangeTo), Date(s.From), Date(s.To))
	}
	if err := s.posts(0).Validate(); err != nil {
		return err
	}
	return s.posts(s.Account).Validate()
}

const day = 24 * 3600 * int64(1_000_000)

// Date prints a time as a date where it is one.
func Date(micros int64) string {
	t := time.UnixMicro(micros).UTC()
	if micros%day == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05.999999Z")
}

// Page is the format of the setting's pages.
func (s Setting) Page() page.Format {
	return page.Format{Bytes: s.PageBytes, Header: s.PageHeader, RowHeader: s.RowHeader}
}

// PerPage is how many rows a page holds.
func (s Setting) PerPage() int64 { return int64(s.Page().RowsPerPage(s.RowBytes)) }

// posts is the setting's workload, with so many posts of the big account mixed in.
func (s Setting) posts(account int64) *workload.Posts {
	return &workload.Posts{
		Count: s.Posts, Users: s.Users, From: s.From, To: s.To, Bytes: s.RowBytes, Seed: s.Seed, Account: account,
	}
}

// input is what the setting's layouts are placed from.
func (s Setting) input(w workload.Workload, c *workload.Census) *layout.Input {
	return &layout.Input{
		Workload: w, Census: c, Page: s.Page(), Entry: s.EntryBytes,
		Now: s.To - 1, Floor: s.From, Cuts: &layout.Cuts{},
	}
}
