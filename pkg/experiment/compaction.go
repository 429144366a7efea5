package experiment

import (
	"fmt"
	"math"

	"pagetouch/pkg/layout"
	"pagetouch/pkg/lsm"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "before-compaction", Order: 31, Run: BeforeCompaction})

// What a file's filter has where it is not what is asked about: Cassandra's default is about 10 bits a key.
const filterBits = 10

// A strategy is a way to treat sorted files.
type strategy struct {
	name string
	layout.SSTables
}

var strategies = []strategy{
	{"never merged, no filter, no times", layout.SSTables{}},
	{"never merged, no times", layout.SSTables{BitsPerKey: filterBits}},
	{"never merged", layout.SSTables{BitsPerKey: filterBits, Bounds: true}},
	{"size-tiered", layout.SSTables{BitsPerKey: filterBits, Bounds: true, Compaction: layout.ByTier}},
	{"leveled", layout.SSTables{BitsPerKey: filterBits, Bounds: true, Compaction: layout.ByLevel}},
	{"month windows", layout.SSTables{BitsPerKey: filterBits, Bounds: true, Compaction: layout.ByMonth}},
	{"all merged into one", layout.SSTables{BitsPerKey: filterBits, Bounds: true, Major: true}},
}

// settled is a strategy's files when all posts are written, and what reads find in them.
type settled struct {
	strategy
	size                 layout.Size
	latest, between, not reads // not: latest n of users who never posted
}

// BeforeCompaction reads the partition layout while it is still several sorted files: as they pile up, and as each
// strategy of compaction leaves them.
func BeforeCompaction(l *Lab) (*result.Result, error) {
	b, silent, err := l.withSilent()
	if err != nil {
		return nil, err
	}
	flushes, err := layout.NewFlushes(b.Input, 0, false)
	if err != nil {
		return nil, err
	}
	piles, err := l.pile(b, flushes)
	if err != nil {
		return nil, err
	}
	var all []settled
	for i, s := range strategies {
		placed := piles.last[i]
		if placed == nil {
			placed = flushes.Place(s.SSTables)
		}
		all = append(all, settled{s, placed.Size(), latest(placed, b.users, l.Latest),
			between(placed, b.users, l.RangeFrom, l.RangeTo), latest(placed, silent, l.Latest)})
	}
	plain, unfiltered, never, tiered, leveled, windows, one := &all[0], &all[1], &all[2], &all[3], &all[4], &all[5], &all[6]
	filters, err := l.filters(b, flushes, silent)
	if err != nil {
		return nil, err
	}

	var v values
	for _, of := range []struct {
		name string
		*settled
	}{{"plain", plain}, {"no_times", unfiltered}, {"never", never}, {"tiered", tiered}, {"leveled", leveled}, {"windows", windows}, {"one", one}} {
		v.add(of.name+".files", "files", float64(of.size.Files), 0)
		v.add(of.name+".latest.files", "files", of.latest.mean(files), 2)
		v.add(of.name+".latest.data_pages", "pages", of.latest.mean(dataPages), 2)
		v.add(of.name+".latest.index_pages", "pages", of.latest.mean(indexPages), 2)
		v.add(of.name+".range.files", "files", of.between.mean(files), 2)
		v.add(of.name+".range.data_pages", "pages", of.between.mean(dataPages), 2)
		v.add(of.name+".write_amplification", "", of.amplification(l), 2)
		v.add(of.name+".silent.files", "files", of.not.mean(files), 2)
	}
	v.add("flushes", "flushes", float64(never.size.Files), 0)
	v.add("memtable", "rows", float64(flushes.Memtable()), 0)
	v.add("filter_bits", "bits", filterBits, 0)

	r := &result.Result{
		Name:  "before-compaction",
		Title: "Before compaction: a partition in several files",
		Headline: fmt.Sprintf("A store writes sorted files and merges them later. After %s flushes that nothing has merged, the latest %s posts are read from %s files; where files cannot be skipped by their times, from %s. The %s data pages of layout B are what is left when everything has been merged into one.",
			count(never.size.Files), count(l.Latest), num(never.latest.mean(files), 2), num(unfiltered.latest.mean(files), 2), num(one.latest.mean(dataPages), 2)),
		Values:  v,
		Tables:  []result.Table{l.settledTable(all), piles.table("before-compaction-files", "Files that latest "+count(l.Latest)+" looks into", files), piles.table("before-compaction-pages", "Data pages of latest "+count(l.Latest), dataPages), filters.table()},
		Figures: []result.Figure{piles.figure("before-compaction-files", "Files a read", "files a read", "files", files, nil), piles.figure("before-compaction-pages", "Data pages a read", "data pages a read", "pages", dataPages, &one.latest), filters.figure()},
		Findings: []string{
			fmt.Sprintf("Each file holds %s posts of one stretch of time. A read goes back file by file and ends when it has %s: after %s files, not %s. Without the times of their rows every file has to be asked for its newest one.",
				count(flushes.Memtable()), count(l.Latest), num(never.latest.mean(files), 2), num(unfiltered.latest.mean(files), 2)),
			fmt.Sprintf("Filters hardly help an average user, whose posts are in nearly every file: %s files without, %s with. They are for those who are not there: for a user who never posted, %s files without a filter, %s with %s bits a key, all of them mistakes.",
				num(plain.latest.mean(files), 2), num(unfiltered.latest.mean(files), 2), num(plain.not.mean(files), 2), num(unfiltered.not.mean(files), 2), count(filterBits)),
			fmt.Sprintf("%s needs %s of %s files that are never merged, as the others are all older or newer, and %s data pages.",
				rangeName(l.RangeFrom, l.RangeTo), num(never.between.mean(files), 2), count(never.size.Files), num(never.between.mean(dataPages), 2)),
			fmt.Sprintf("What merging costs: size-tiered writes every row %s times and leaves %s, leveled %s times and leaves them so that a read looks into %s, month windows %s times and leave %s.",
				num(tiered.amplification(l), 2), plural(tiered.size.Files, "file"), num(leveled.amplification(l), 2), num(leveled.latest.mean(files), 2),
				num(windows.amplification(l), 2), plural(windows.size.Files, "file")),
			piles.finding(),
		},
	}
	table, warnings := l.compactionChecks(never, unfiltered, plain, one, flushes)
	r.Tables, r.Warnings = append(r.Tables, table), append(r.Warnings, warnings...)
	engines, finding, err := l.engines(b, plain)
	if err != nil {
		return nil, err
	}
	if engines != nil {
		r.Tables, r.Findings = append(r.Tables, *engines), append(r.Findings, finding)
	} else {
		r.Tables = append(r.Tables, enginesTable())
		r.Warnings = append(r.Warnings, result.Warning{Text: "Real engines were measured with the lesson's posts only; in this setting there is nothing to compare."})
	}
	return r, nil
}

func (s *settled) amplification(l *Lab) float64 {
	return float64(s.size.RowsWritten) / float64(l.Posts)
}

func files(t layout.Touch) int      { return t.Files }
func emptyFiles(t layout.Touch) int { return t.EmptyFiles }

// withSilent is the lesson's posts asked about by the sampled users and by as many more who never posted.
func (l *Lab) withSilent() (*bench, []workload.Entity, error) {
	if err := l.Validate(); err != nil {
		return nil, nil, err
	}
	w := silentToo{l.Setting.posts(0), l.Sample}
	asked := workload.Sample(l.Users, l.Sample, l.Seed)
	for i := range l.Sample {
		asked = append(asked, l.Users+i)
	}
	c, err := workload.Count(w, asked)
	if err != nil {
		return nil, nil, err
	}
	b := &bench{Input: l.input(w, c), users: c.Asked[:l.Sample], kinds: map[string]func() (layout.Layout, error){}}
	return b, c.Asked[l.Sample:], nil
}

type silentToo struct {
	workload.Workload
	more int
}

func (s silentToo) Entities() int { return s.Workload.Entities() + s.more }

func (l *Lab) settledTable(all []settled) result.Table {
	t := result.Table{
		Name:  "before-compaction",
		Title: fmt.Sprintf("When all posts are written: latest %s, and %s", count(l.Latest), rangeName(l.RangeFrom, l.RangeTo)),
		Columns: []result.Column{{Name: "files are"}, {Name: "files"}, {Name: "latest", Unit: "files"}, {Name: "latest", Unit: "data pages"}, {Name: "latest", Unit: "index pages"},
			{Name: "range", Unit: "files"}, {Name: "range", Unit: "data pages"}, {Name: "range", Unit: "rows examined"}, {Name: "rows written", Unit: "times"}, {Name: "pages written"}},
		Caption: "Files that a read looks into, an unfounded look included. Without times, or without filters, nothing but a file's first and last key lets a read skip it.",
	}
	for i := range all {
		s := &all[i]
		t.Rows = append(t.Rows, []result.Cell{result.Text(s.name), result.Count(s.size.Files), result.Number(s.latest.mean(files), 2), result.Number(s.latest.mean(dataPages), 2),
			result.Number(s.latest.mean(indexPages), 2), result.Number(s.between.mean(files), 2), result.Number(s.between.mean(dataPages), 2),
			result.Number(s.between.mean(rowsExamined), 2), result.Number(s.amplification(l), 2), result.Count(s.size.PagesWritten)})
	}
	return t
}

// piles is what latest n touches after each flush, strategy by strategy.
type piles struct {
	names  []string
	after  [][]reads // by strategy and flush
	onDisk [][]int64
	last   map[int]layout.Layout // by the strategy's number
}

// pile reads after each flush what has been written until then.
func (l *Lab) pile(b *bench, flushes *layout.Flushes) (*piles, error) {
	p := &piles{last: map[int]layout.Layout{}}
	then := make([]workload.Entity, len(b.users))
	for _, s := range []int{1, 2, 3, 4, 5} {
		var after []reads
		var onDisk []int64
		err := flushes.Pile(strategies[s].SSTables, func(flushed int64, now layout.Layout) error {
			for i := range b.users {
				then[i] = b.users[i].Until(l.postTime(flushed))
			}
			p.last[s] = now
			after = append(after, latest(now, then, l.Latest))
			onDisk = append(onDisk, now.Size().Files)
			return nil
		})
		if err != nil {
			return nil, err
		}
		p.names, p.after, p.onDisk = append(p.names, strategies[s].name), append(p.after, after), append(p.onDisk, onDisk)
	}
	return p, nil
}

func (p *piles) table(name, title string, counted func(layout.Touch) int) result.Table {
	t := result.Table{Name: name, Title: title, Columns: []result.Column{{Name: "flushes"}}, Caption: "Mean of a read made right after the flush, and after the merging that it led to."}
	for _, n := range p.names {
		t.Columns = append(t.Columns, result.Column{Name: n})
	}
	for f := range p.after[0] {
		row := []result.Cell{result.Count(f + 1)}
		for s := range p.names {
			row = append(row, result.Number(p.after[s][f].mean(counted), 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (p *piles) figure(name, title, axis, unit string, counted func(layout.Touch) int, one *reads) result.Figure {
	f := result.Figure{
		Name: name, Kind: result.Lines, Title: title + " as files pile up",
		Caption: "Mean of a read made right after each flush, once the merging that it led to is done.",
		X:       result.Axis{Name: "flushes so far"},
		Y:       result.Axis{Name: axis, Unit: unit, Decimals: 2},
		Table:   name,
		Alt:     title + " after the first flush and after the last.",
	}
	for s, n := range p.names {
		var points []result.Point
		for i, r := range p.after[s] {
			points = append(points, result.Point{X: float64(i + 1), Y: r.mean(counted)})
		}
		f.Series = append(f.Series, result.Series{Name: n, Points: points})
		f.Alt += fmt.Sprintf(" %s: %s and %s.", upper(n), num(points[0].Y, 2), num(points[len(points)-1].Y, 2))
	}
	if one != nil {
		f.Marks = []result.Mark{{Axis: "y", At: one.mean(counted), Label: "all in one file"}}
	}
	return f
}

// finding says how far reads swing between two merges.
func (p *piles) finding() string {
	const tiered, leveled = 2, 3
	worst := func(s int) (most float64, flush int) {
		for i, r := range p.after[s] {
			if m := r.mean(files); m > most {
				most, flush = m, i
			}
		}
		return most, flush
	}
	t, at := worst(tiered)
	most, _ := worst(leveled)
	return fmt.Sprintf("Between two merges files pile up again: under size-tiered compaction a read looks into up to %s files (after flush %s, when there are %s), under leveled compaction into up to %s.",
		num(t, 2), count(at+1), count(p.onDisk[tiered][at]), num(most, 2))
}

// filterRow is reads with filters of so many bits a key.
type filterRow struct {
	bits             int
	average, silent  reads
	mistakes, expect float64 // files looked into in vain, a read of a silent user
}

type filterRows []filterRow

// filters reads every file of flushes that are never merged, times unused, with filters of several sizes.
func (l *Lab) filters(b *bench, flushes *layout.Flushes, silent []workload.Entity) (filterRows, error) {
	var rows filterRows
	for _, bits := range []int{0, 1, 2, 4, 6, 8, 10, 12} {
		placed := flushes.Place(layout.SSTables{BitsPerKey: bits})
		row := filterRow{bits: bits, average: latest(placed, b.users, l.Latest), silent: latest(placed, silent, l.Latest)}
		row.mistakes = row.silent.mean(emptyFiles)
		for range placed.Size().Files {
			row.expect += l.mistakes(float64(flushes.Memtable())/float64(l.Posts), bits)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// mistakes is the chance that the filter of a file with that share of the posts is mistaken; 1 without a filter.
func (l *Lab) mistakes(share float64, bits int) float64 {
	keys := int64(l.Even(0).KeysOf(share))
	return theory.Mistakes(keys, keys*int64(bits), lsm.Probes(bits))
}

func (rows filterRows) table() result.Table {
	t := result.Table{
		Name:  "before-compaction-filters",
		Title: "Bloom filters of files that are never merged, times unused",
		Columns: []result.Column{{Name: "bits a key"}, {Name: "average user", Unit: "files"}, {Name: "of these in vain"},
			{Name: "user who never posted", Unit: "files"}, {Name: "closed form"}, {Name: "index pages in vain"}},
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, []result.Cell{result.Count(r.bits), result.Number(r.average.mean(files), 3), result.Number(r.average.mean(emptyFiles), 4),
			result.Number(r.mistakes, 3), result.Number(r.expect, 3), result.Number(r.silent.mean(indexPages), 3)})
	}
	return t
}

func (rows filterRows) figure() result.Figure {
	f := result.Figure{
		Name: "before-compaction-filters", Kind: result.Lines,
		Title:   "Files looked into for a user who never posted",
		Caption: "Mean of a read; every look is a mistake of a file's filter. The closed form lies on the counts.",
		X:       result.Axis{Name: "filter bits a key"},
		Y:       result.Axis{Name: "files a read", Unit: "files", Decimals: 3},
		Series:  []result.Series{{Name: "simulated"}, {Name: "closed form"}},
		Table:   "before-compaction-filters",
	}
	for _, r := range rows {
		f.Series[0].Points = append(f.Series[0].Points, result.Point{X: float64(r.bits), Y: r.mistakes})
		f.Series[1].Points = append(f.Series[1].Points, result.Point{X: float64(r.bits), Y: r.expect})
	}
	first, last := rows[0], rows[len(rows)-1]
	f.Alt = fmt.Sprintf("A user who never posted costs %s files a read without a filter, %s with %s bits a key.", num(first.mistakes, 2), num(last.mistakes, 3), count(last.bits))
	return f
}

// compactionChecks sets files that are never merged, and one file, beside their closed forms.
func (l *Lab) compactionChecks(never, unbounded, plain, one *settled, flushes *layout.Flushes) (result.Table, []result.Warning) {
	even, n := l.Even(0), int64(l.Latest)
	share := float64(flushes.Memtable()) / float64(l.Posts)
	pile := theory.Piled{Bounds: true, Mistakes: l.mistakes(share, filterBits), InMemory: 1}
	for range never.size.Files {
		pile.Shares = append(pile.Shares, share)
		pile.InMemory -= share
	}
	pile.InMemory = max(0, pile.InMemory)
	touched := l.inRange(flushes)
	open := pile
	open.Bounds = false
	return l.checkTable("before-compaction-check", []check{
		{"never merged, latest, files", "files", never.latest.mean(files), even.LatestFiles(n, pile)},
		{"never merged, latest, data pages", "pages", never.latest.mean(dataPages), even.LatestFilePages(n, pile)},
		{"never merged, range, files", "files", never.between.mean(files), even.FilesLookedInto(touched, pile.Mistakes)},
		{"no times, latest, files", "files", unbounded.latest.mean(files), even.LatestFiles(n, open)},
		{"no times, latest, data pages", "pages", plain.latest.mean(dataPages), even.LatestFilePages(n, open)},
		{"all merged into one, data pages", "pages", one.latest.mean(dataPages), even.LatestPartitionPages(n)},
	})
}

// postTime is when the post of that number can come at the earliest: they come at even steps.
func (l *Lab) postTime(number int64) int64 { return l.From + number*((l.To-l.From)/l.Posts) }

// inRange is the shares of the flushes that hold a time of the range.
func (l *Lab) inRange(flushes *layout.Flushes) []float64 {
	m := flushes.Memtable()
	var shares []float64
	for first := int64(0); first+m <= l.Posts; first += m {
		if oldest, newest := l.postTime(first), l.postTime(first+m); newest > l.RangeFrom && oldest < l.RangeTo {
			shares = append(shares, float64(m)/float64(l.Posts))
		}
	}
	return shares
}

func enginesTable() result.Table {
	return result.Table{
		Name:    "before-compaction-engines",
		Title:   "Real engines with the lesson's posts",
		Columns: []result.Column{{Name: "engine"}, {Name: "read"}, {Name: "counted"}, {Name: "measured"}, {Name: "simulated"}},
		Caption: "Measured with other seeds and 200 users. How many rows each of Cassandra's files held is not recorded; here they are equal. For Pebble's range the last column is the simulated number of files, a page each: having no index of partitions, it reads a data page even where a file lacks the user or has no row of the range.",
	}
}

// engines sets what real engines did with the lesson's posts, in files that were not merged, beside the simulation. It
// is nil in another setting. The finding says where they differ.
func (l *Lab) engines(b *bench, plain *settled) (t *result.Table, finding string, err error) {
	lesson := Lesson()
	if l.Posts != lesson.Posts || l.Users != lesson.Users || l.Latest != lesson.Latest || l.PerPage() != lesson.PerPage() ||
		l.RangeFrom != lesson.RangeFrom || l.RangeTo != lesson.RangeTo {
		return nil, "", nil
	}
	const cassandraFiles = 19
	flushes, err := layout.NewFlushes(b.Input, l.Posts/cassandraFiles, false)
	if err != nil {
		return nil, "", err
	}
	cassandra := flushes.Place(layout.SSTables{BitsPerKey: filterBits, Bounds: true})
	table := enginesTable()
	t = &table
	row := func(engine, read, counted string, measured, simulated float64) {
		t.Rows = append(t.Rows, []result.Cell{result.Text(engine), result.Text(read), result.Text(counted), result.Number(measured, 2), result.Number(simulated, 2)})
	}
	last, month := "latest "+count(l.Latest), rangeName(l.RangeFrom, l.RangeTo)
	row("Pebble 2.1.7, 20 flushes", last, "files", 20, plain.latest.mean(files))
	row("Pebble 2.1.7, 20 flushes", last, "data pages", 20.50, plain.latest.mean(dataPages))
	row("Pebble 2.1.7, 20 flushes", month, "data pages", 20.48, plain.between.mean(files))
	const measured = 4.47
	simulated := latest(cassandra, b.users, l.Latest).mean(files)
	row("Cassandra 5.0.9, 19 SSTables", last, "files", measured, simulated)
	row("Cassandra 5.0.9, 19 SSTables", month, "files", 1.99, between(cassandra, b.users, l.RangeFrom, l.RangeTo).mean(files))
	return t, fmt.Sprintf("Cassandra looked into %s files for the newest %s where the simulation looks into %s. Here its %d files hold as many rows each; how many they held is not recorded, and a read starts at the newest file, so it matters how full that one is: holding %s of what the others hold, it would explain the difference.",
		num(measured, 2), count(l.Latest), num(simulated, 2), cassandraFiles, wholePercent(l.newestFile(cassandraFiles, measured))), nil
}

// newestFile is how much a newest file must hold, in percent of what each of the others holds, for latest n to look into so
// many files: the closed form's answer, or the nearest to it.
func (l *Lab) newestFile(of int, looks float64) (percent float64) {
	nearest := math.Inf(1)
	for p := 100; p >= 1; p-- {
		part := float64(p) / 100
		other := 1 / (float64(of-1) + part)
		pile := theory.Piled{Bounds: true, Mistakes: l.mistakes(other, filterBits), Shares: []float64{part * other}}
		for range of - 1 {
			pile.Shares = append(pile.Shares, other)
		}
		if off := math.Abs(l.Even(0).LatestFiles(int64(l.Latest), pile).Mean - looks); off < nearest {
			nearest, percent = off, float64(p)
		}
	}
	return percent
}
