package sizing

import (
	"fmt"
	"strconv"

	"pagetouch/pkg/result"
)

// explain puts the choice into sentences; every number in them comes from what was judged.
func (s *subject) explain(r *Recommendation, q Question, all []judged, chosen int) {
	c := &all[chosen]
	say := func(format string, a ...any) { r.Reasons = append(r.Reasons, fmt.Sprintf(format, a...)) }
	s.explainSize(c, q, say)
	s.explainLimits(r, c, q, all, say)
	if w := s.partition(s.busiest, q); s.busiest > 1 && w.binds >= 0 && w.safe() && (c.binds < 0 || c.checks[c.binds].Ratio < .75) {
		say("All %s that the busiest entity has would keep every limit as one partition: so far no bucket is needed, and the width bounds what is to come.", plural(s.busiest, "row"))
	}
	switch {
	case c.reads == nil:
	case r.Shards > 1:
		say("With width %v %s. Every bucket is asked %s times, once a shard.", c.width, c.reads("bucket"), count(r.Shards))
	default:
		say("With width %v %s.", c.width, c.reads("partition"))
	}
	if q.Range > 0 {
		say("A range of %s reads %s when it begins with a bucket and %s at worst.", result.Length(q.Range), plural(r.Reads.RangeAligned, "partition"), count(r.Reads.RangeWorst))
	}
	s.explainPace(r, q, c)
	s.explainWrites(r, q, say)
	if r.SizeBased.Better {
		say("Buckets of %s, a new one begun when the last is full and the current one recorded elsewhere, would serve better: the largest partition of the busiest entity has %s and that of the median one %d, so a width that is safe for the one leaves the other with mostly empty buckets.",
			plural(r.SizeBased.Rows, "row"), plural(c.skew[0], "row"), c.skew[1])
	}
	for i := range all {
		if i != chosen {
			r.Refused = append(r.Refused, refuse(&all[i], c, i < chosen, q))
		}
	}
	for _, k := range c.checks {
		if k.Operator == "<" && !k.Kept {
			r.Warnings = append(r.Warnings, fmt.Sprintf("The median partition has %s %s, below %v: over-partitioned.", count(k.Amount), k.Counts, k.Limit))
		}
	}
	for _, w := range []string{c.projected, c.cut, s.explainPair(all, chosen, q), s.explainFew(c, q)} {
		if w != "" {
			r.Warnings = append(r.Warnings, w)
		}
	}
	r.Warnings = append(r.Warnings, "Changing the width later makes old rows unreadable through the new key: it needs a new table and a copy of every row.")
}

// explainSize is the largest partition, or two where the one of the most rows is not that of the most bytes.
func (s *subject) explainSize(c *judged, q Question, say func(string, ...any)) {
	holds, grown := "holds", ""
	if c.projected != "" {
		holds = "may come to hold"
	}
	if q.Growth != 1 {
		grown = fmt.Sprintf("; grown %s times, %s", times(q.Growth), s.amount(Grown(c.rows, q.Growth), Grown(c.bytes, q.Growth)))
	}
	if c.where == c.whereBytes || s.rowBytes == 0 {
		say("The largest partition of width %v (%s) %s %s%s.", c.width, c.where, holds, s.amount(c.rows, c.bytes), grown)
		return
	}
	say("Of partitions of width %v that of the most rows (%s) %s %s, and that of the most bytes (%s) %s%s.", c.width, c.where, holds, plural(c.rows, "row"), c.whereBytes, plural(c.bytes, "byte"), grown)
}

// explainLimits is how the width stands to what binds it, and what shards are for.
func (s *subject) explainLimits(r *Recommendation, c *judged, q Question, all []judged, say func(string, ...any)) {
	switch {
	case c.binds < 0:
		say("No limit of a partition's size was given: the widest candidate reads least.")
	case c.safe():
		switch k := c.checks[c.binds]; {
		case !k.Kept:
			say("It breaks %v: %s the limit, as the largest row does by itself.", k.Limit, multiple(k.Ratio))
		case k.Amount == k.Most():
			say("%v binds: that is all it allows, with no room to grow.", k.Limit)
		default:
			say("%v binds: that is %s of it, room to grow %s times.", k.Limit, times(k.Ratio), times(float64(k.Most())/float64(max(k.Amount, 1))))
		}
	default:
		k := c.checks[c.splits]
		say("It breaks %v: %s the limit. Splitting each bucket in %s keeps it, if the hash spreads rows evenly.", k.Limit, multiple(k.Ratio), plural(c.shards, "hash shard"))
		if roomy := shards(k.Amount, k.Most()-k.Most()/10); roomy > c.shards {
			say("A hash is never quite even: %s leave a tenth of the limit to spare.", plural(roomy, "shard"))
		}
		switch {
		case r.NoBucket:
			say("No time bucket can help: one second alone (%s) has %s.", s.peakAt, plural(s.peak, "row"))
		case s.step > c.width.Longest()/2 && s.step > second:
			apart, _ := stepWords(s.step)
			say("Times are %s apart, so what a narrower bucket would hold is not known: finer times would tell.", apart)
		case c.width == all[0].width:
			say("No candidate is narrow enough: one narrower than %v needs fewer shards, or none.", c.width)
		default:
			say("No candidate is narrow enough; of all of them this one's reads ask for the fewest partitions.")
		}
	}
	if r.Shards > 1 {
		say("Each of the %s shards of a bucket then holds about %s, and every read of a bucket asks all %s.", count(r.Shards), plural(shards(Grown(c.rows, q.Growth), r.Shards), "row"), count(r.Shards))
	}
}

// explainPair warns where two narrow buckets side by side held more than what binds allows a wider one, which has room for
// both: so far a boundary lay between them.
func (s *subject) explainPair(all []judged, chosen int, q Question) string {
	c := &all[chosen]
	if c.binds < 0 || !c.checks[c.binds].Kept {
		return ""
	}
	for i := range all[:chosen] {
		n := &all[i]
		if n.unknown || n.pair.Rows <= c.rows || 2*n.width.Longest() > c.width.Longest() {
			continue
		}
		if j := s.partition(n.pair.Rows, q); j.binds >= 0 && !j.checks[j.binds].Kept {
			return fmt.Sprintf("Entity %s wrote %s in two buckets of width %v that follow each other, up to %s; a bucket of width %v that holds both has %s%s: %s %v. So far a boundary lay between them.",
				n.pair.Name, plural(n.pair.Rows, "row"), n.width, n.pair.Bucket, c.width, plural(Grown(n.pair.Rows, q.Growth), "row"), growth(q), multiple(j.checks[j.binds].Ratio), j.checks[j.binds].Limit)
		}
	}
	return ""
}

// explainFew warns where an entity with too few rows to tell would break what binds if it went on as it began.
func (s *subject) explainFew(c *judged, q Question) string {
	f := c.few
	if f == nil || f.Rows <= c.rows || c.binds < 0 {
		return ""
	}
	j := s.partition(f.Rows, q)
	if j.binds < 0 || j.checks[j.binds].Kept {
		return ""
	}
	return fmt.Sprintf("Entity %s has too few rows to tell a pace, %s in %s. At that pace a bucket of width %v would come to %s%s: %s %v.",
		f.Name, count(f.Wrote), roughly(f.Active), c.width, plural(Grown(f.Rows, q.Growth), "row"), growth(q), multiple(j.checks[j.binds].Ratio), j.checks[j.binds].Limit)
}

// observed is how many whole buckets make a peak that occurred say more than a busy hour gone on; it is our judgement.
const observed = 3

// explainPace warns where one entity's busiest hour, gone on through a bucket, would break what binds.
func (s *subject) explainPace(r *Recommendation, q Question, c *judged) {
	longest := c.width.Longest()
	if s.hour.Rows < enough || longest <= hour || c.binds < 0 || s.active/observed >= longest {
		return
	}
	rows, ok := mulDiv(s.hour.Rows, longest, hour, true)
	if !ok {
		return
	}
	if j := s.partition(rows, q); j.binds >= 0 && !j.checks[j.binds].Kept {
		k := j.checks[j.binds]
		r.Warnings = append(r.Warnings, fmt.Sprintf("Entity %s wrote %s in its busiest hour (%s). Were a whole bucket of width %v as busy, it would hold %s%s: %s %v.",
			s.hour.Name, plural(s.hour.Rows, "row"), s.hour.Start, c.width, plural(Grown(rows, q.Growth), "row"), growth(q), multiple(k.Ratio), k.Limit))
	}
}

func (s *subject) explainWrites(r *Recommendation, q Question, say func(string, ...any)) {
	w, at := r.Writes, s.peakAt+growth(q)
	switch {
	case w.Limit == "":
		say("The busiest second writes %s of one entity (%s), about %s to each partition; no limit of writes per partition was given.", plural(w.Peak, "row"), at, count(shards(w.Peak, r.Shards)))
	case w.Shards == 1 && w.mostShards > 1:
		say("The busiest second writes %s to one partition (%s) or more, at most %s: whether %s is kept is not known; at most it would ask for %s.", plural(w.Peak, "row"), at, count(w.most), w.Limit, plural(w.mostShards, "shard"))
	case w.Shards == 1:
		say("The busiest second writes %s to one partition (%s): %s is kept and the current bucket need not be split.", plural(w.Peak, "row"), at, w.Limit)
	default:
		say("The busiest second writes %s to one partition (%s): %s asks for the current bucket to be split in %s, and every read asks each of them.", plural(w.Peak, "row"), at, w.Limit, plural(w.Shards, "shard"))
		if w.spare > w.Shards {
			say("A hash is never quite even: %s leave a tenth of the writes to spare.", plural(w.spare, "shard"))
		}
	}
}

// refuse says why a candidate was not chosen.
func refuse(j, chosen *judged, narrower bool, q Question) Refusal {
	f := Refusal{Width: j.width.String()}
	switch {
	case j.unbounded:
		f.Why = "its partitions grow without end"
	case j.unknown:
		f.Why = "it is narrower than the times are apart: what it would hold and cost is not known"
	case !j.safe():
		k, where := j.checks[j.splits], j.where
		if k.Counts == Bytes {
			where = j.whereBytes
		}
		f.Limit, f.Ratio = k.name(), k.Ratio
		f.Why = fmt.Sprintf("%s: %s %s%s, %s %v", where, count(k.Amount), k.Counts, growth(q), multiple(k.Ratio), k.Limit)
		switch cost := j.cost(); {
		case chosen.safe():
		case cost > 0:
			f.Why += fmt.Sprintf("; split in %s its reads ask for %s, against %s", count(j.shards), plural(cost, "partition"), count(chosen.cost()))
		default:
			f.Why += fmt.Sprintf("; it needs %s, against %s", plural(j.shards, "shard"), count(chosen.shards))
		}
	case narrower && j.p99 > chosen.p99:
		f.Why = fmt.Sprintf("%s, as %v does, but reads more: %s against %s for the latest rows at the 99th percentile", j.keeps(), chosen.width, count(j.p99), count(chosen.p99))
	case narrower && j.span.Worst > chosen.span.Worst:
		f.Why = fmt.Sprintf("%s, as %v does, but reads more: %s against %s for a range", j.keeps(), chosen.width, count(j.span.Worst), count(chosen.span.Worst))
	case narrower && j.p99 < chosen.p99:
		f.Why = fmt.Sprintf("%s, as %v does; that it reads less now, %s against %s, lies in where the current bucket began", j.keeps(), chosen.width, count(j.p99), count(chosen.p99))
	default:
		f.Why = fmt.Sprintf("%s, as %v does, and makes more partitions for nothing", j.keeps(), chosen.width)
	}
	return f
}

// growth says that an amount is a grown one.
func growth(q Question) string {
	if q.Growth == 1 {
		return ""
	}
	return ", grown " + times(q.Growth) + " times"
}

// keeps says of a width without shards which limits it keeps.
func (j *judged) keeps() string {
	if j.binds >= 0 && !j.checks[j.binds].Kept {
		return "it keeps every limit that the largest row keeps"
	}
	return "it keeps every limit"
}

// name is the limit's store and id.
func (l Limit) name() string { return l.Store + " " + l.ID }

func count(n int64) string { return result.Format(float64(n), 0) }

// plural is "1 row" or "2 rows".
func plural(n int64, noun string) string {
	return result.Plural(n, noun)
}

// amount is rows and their bytes, where a row's are known.
func (s *subject) amount(rows, bytes int64) string {
	if s.rowBytes == 0 {
		return plural(rows, "row")
	}
	return plural(rows, "row") + " and " + count(bytes) + " bytes"
}

// multiple says how an amount compares with a limit that it breaks.
func multiple(ratio float64) string {
	if ratio == 1 {
		return "as much as"
	}
	return times(ratio) + " times"
}

// times prints a factor to three digits.
func times(x float64) string {
	switch {
	case x >= 1000:
		return result.Format(x, 0)
	case x >= 0.001:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return "less than 0.001"
}

// roughly prints a time in the largest unit of which it has two.
func roughly(micros int64) string {
	for _, l := range []int64{day, hour, minute} {
		if n := (micros + l/2) / l; n >= 2 {
			return plural(n, unitName(l))
		}
	}
	return plural((micros+second/2)/second, "second")
}
