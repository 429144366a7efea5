package experiment

import (
	"fmt"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/result"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

var _ = register(Experiment{Name: "replicas", Order: 32, Run: Replicas})

// The cluster: what is usual in Cassandra. Every figure is a mean over so many clusters, each with tokens of its own.
const (
	copies     = 3
	tokensEach = 16
	clusters   = 50
	shards     = 8 // of a bucket, so that writes spread
)

var clusterSizes = []int{3, 4, 6, 9, 12, 20, 30, 50, 100, 200, 300}

// scheme is how the account's posts are cut into partitions.
type scheme struct {
	name  string
	parts []part
	reads int // partitions that latest n reads
	by    []placement
}

// part is one partition: where it belongs, how many posts it has, how many of them were written on the last day.
type part struct {
	token      ring.Token
	rows, last int64
}

// placement is a scheme's partitions on clusters of one size.
type placement struct {
	holding          float64 // nodes that hold a copy of any, mean over the clusters
	busiest, current float64 // the busiest node's share of the posts, and of the last day's; mean over the clusters
}

// Replicas puts the big account's partitions on the nodes of clusters: how its rows and writes spread, by partition key.
func Replicas(l *Lab) (*result.Result, error) {
	b, err := l.mixed()
	if err != nil {
		return nil, err
	}
	all := l.schemes(b.account())
	for i := range all {
		all[i].by = make([]placement, len(clusterSizes))
	}
	for size, nodes := range clusterSizes {
		if err := spreadOver(all, size, nodes, l.Seed); err != nil {
			return nil, err
		}
	}
	one, month, sharded, daily := &all[0], &all[1], &all[2], &all[3]
	smallest, largest := clusterSizes[0], clusterSizes[len(clusterSizes)-1]
	var v values
	for i, name := range []string{"one", "month", "sharded", "day"} {
		s, last := &all[i], all[i].by[len(clusterSizes)-1]
		v.add(name+".partitions", "partitions", float64(len(s.parts)), 0)
		v.add(name+".reads", "partitions", float64(s.reads), 0)
		v.add(name+".holding", "nodes", last.holding, 1)
		v.add(name+".busiest", "%", 100*last.busiest, 1)
		v.add(name+".current", "%", 100*last.current, 1)
	}
	v.add("copies", "copies", copies, 0)
	v.add("tokens", "tokens", tokensEach, 0)
	v.add("clusters", "clusters", clusters, 0)
	v.add("shards", "shards", shards, 0)
	v.add("largest", "nodes", float64(largest), 0)

	share := func(p placement) string { return percent(p.busiest) }
	current := func(p placement) string { return percent(p.current) }
	end := len(clusterSizes) - 1
	r := &result.Result{
		Name:  "replicas",
		Title: fmt.Sprintf("One partition lives on the same %d nodes, however many there are", min(copies, smallest)),
		Headline: fmt.Sprintf("With one partition the big account's posts, and all its writes, are on %s nodes, whether the cluster has %s or %s. Month buckets spread what is stored over %s nodes, and not the writes of today; a bucket split %s ways spreads these too.",
			num(one.by[end].holding, 0), count(smallest), count(largest), num(month.by[end].holding, 1), count(shards)),
		Values: v,
		Tables: []result.Table{schemesTable(all, l.Latest), sharesTable(all), currentTable(all), holdingTable(all)},
		Figures: []result.Figure{
			replicasFigure("replicas-share", "Busiest node's share of the account's posts", "share of the posts", "%", all, func(p placement) float64 { return 100 * p.busiest }),
			replicasFigure("replicas-current", "Busiest node's share of the last day's writes", "share of the writes", "%", all, func(p placement) float64 { return 100 * p.current }),
			replicasFigure("replicas-nodes", "Nodes that hold any of it", "nodes", "nodes", all, func(p placement) float64 { return p.holding }),
		},
		Findings: []string{
			fmt.Sprintf("Nodes added to a cluster take partitions, never a part of one. On %s nodes the busiest one still holds %s of the account's posts with one partition, %s with month buckets, %s with day buckets.",
				count(largest), share(one.by[end]), share(month.by[end]), share(daily.by[end])),
			fmt.Sprintf("Where today's posts go is another matter. Buckets of a month or a day give all of the last day's writes one partition: on %s nodes each of its %s copies takes %s of them with months and %s with days. With the bucket split %s ways, the busiest of %s takes %s.",
				count(largest), count(copies), current(month.by[end]), current(daily.by[end]), count(shards), count(largest), current(sharded.by[end])),
			fmt.Sprintf("The price is paid by reads: the newest %s posts are in %s with month buckets and in %s when these are split.",
				count(l.Latest), plural(month.reads, "partition"), plural(sharded.reads, "partition")),
			fmt.Sprintf("A small cluster has nothing to spread over: on %s nodes with %s copies every node holds everything, in any scheme.", count(smallest), count(copies)),
			fmt.Sprintf("A write goes to every copy. Reads that ask one copy each, in turn, bring a node that holds a partition a share %s times smaller, but no further node takes any.", count(copies)),
		},
	}
	return r, nil
}

// schemes cuts the account's posts four ways.
func (l *Lab) schemes(account *workload.Entity) []scheme {
	id := int32(account.ID)
	plain := func(k int64) ring.Token { key := ring.BucketKey(id, k); return ring.TokenOf(key[:]) }
	cut := func(name string, width bucket.Width, ways int, token func(k int64, shard int) ring.Token) scheme {
		s := scheme{name: name}
		type place struct {
			bucket int64
			shard  int
		}
		at := map[place]int{}
		cursor := bucket.Cursor{Width: width}
		missing := l.Latest
		for i := account.Rows() - 1; i >= 0; i-- { // newest first
			p := place{cursor.Index(account.Time[i]), i % ways}
			n, ok := at[p]
			if !ok {
				n = len(s.parts)
				at[p] = n
				s.parts = append(s.parts, part{token: token(p.bucket, p.shard)})
			}
			s.parts[n].rows++
			if account.Time[i] >= l.To-day {
				s.parts[n].last++
			}
			if missing--; missing == 0 {
				s.reads = int(width.Touched(account.Time[i], account.Time[account.Rows()-1]+1)) * ways
			}
		}
		if missing > 0 {
			s.reads = len(s.parts)
		}
		return s
	}
	return []scheme{
		cut("one partition", bucket.Forever, 1, func(int64, int) ring.Token { return ring.TokenOf(ring.EntityKey(id)) }),
		cut("month buckets", bucket.Month, 1, func(k int64, _ int) ring.Token { return plain(k) }),
		cut(fmt.Sprintf("month buckets, split %d ways", shards), bucket.Month, shards, func(k int64, shard int) ring.Token {
			key := ring.ShardKey(id, k, int32(shard))
			return ring.TokenOf(key[:])
		}),
		cut("day buckets", bucket.Day, 1, func(k int64, _ int) ring.Token { return plain(k) }),
	}
}

// spreadOver places every scheme on clusters of so many nodes.
func spreadOver(all []scheme, size, nodes int, seed uint64) error {
	type sums struct{ holding, most, current int64 } // over the clusters
	of := make([]sums, len(all))
	rows, last := make([]int64, nodes), make([]int64, nodes)
	var on []int32
	for c := range uint64(clusters) {
		r, err := ring.New(nodes, tokensEach, seed+c)
		if err != nil {
			return err
		}
		for i := range all {
			clear(rows)
			clear(last)
			for _, p := range all[i].parts {
				on = r.Replicas(p.token, copies, on[:0])
				for _, node := range on {
					rows[node] += p.rows
					last[node] += p.last
				}
			}
			most, current := int64(0), int64(0)
			for node := range rows {
				if rows[node] > 0 {
					of[i].holding++
				}
				most, current = max(most, rows[node]), max(current, last[node])
			}
			of[i].most += most
			of[i].current += current
		}
	}
	for i := range all {
		total, today := int64(0), int64(0)
		for _, p := range all[i].parts {
			total, today = total+p.rows, today+p.last
		}
		all[i].by[size] = placement{
			holding: float64(of[i].holding) / clusters,
			busiest: float64(of[i].most) / float64(clusters*total),
			current: float64(of[i].current) / float64(clusters*max(1, today)),
		}
	}
	return nil
}

func schemesTable(all []scheme, n int) result.Table {
	t := result.Table{
		Name: "replicas", Title: "How the account's posts are cut",
		Columns: []result.Column{{Name: "partition key"}, {Name: "partitions"}, {Name: "largest", Unit: "rows"}, {Name: "take the last day's writes", Unit: "partitions"},
			{Name: "latest " + count(n), Unit: "partitions"}},
	}
	for _, s := range all {
		largest, taking := int64(0), 0
		for _, p := range s.parts {
			largest = max(largest, p.rows)
			if p.last > 0 {
				taking++
			}
		}
		t.Rows = append(t.Rows, []result.Cell{result.Text(s.name), result.Count(len(s.parts)), result.Count(largest), result.Count(taking), result.Count(s.reads)})
	}
	return t
}

// bySize is a table with a row a cluster size and a column a scheme.
func bySize(name, title, caption string, all []scheme, unit string, cell func(placement) float64) result.Table {
	t := result.Table{Name: name, Title: title, Caption: caption, Columns: []result.Column{{Name: "nodes"}}}
	for _, s := range all {
		t.Columns = append(t.Columns, result.Column{Name: s.name, Unit: unit})
	}
	for i, nodes := range clusterSizes {
		row := []result.Cell{result.Count(nodes)}
		for _, s := range all {
			row = append(row, result.Number(cell(s.by[i]), 1))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func sharesTable(all []scheme) result.Table {
	return bySize("replicas-share", "Share of the account's posts on the busiest node", fmt.Sprintf("Mean over %d clusters.", clusters), all, "%",
		func(p placement) float64 { return 100 * p.busiest })
}

func currentTable(all []scheme) result.Table {
	return bySize("replicas-current", "Share of the last day's writes that the busiest node takes", fmt.Sprintf("Mean over %d clusters.", clusters), all, "%",
		func(p placement) float64 { return 100 * p.current })
}

// holdingTable sets the nodes that hold a copy beside their closed form, which takes every node for as likely as another.
func holdingTable(all []scheme) result.Table {
	t := result.Table{
		Name: "replicas-nodes", Title: "Nodes that hold any of the account's posts",
		Caption: "The closed form takes tokens to be anywhere and nodes to own equal shares of the ring. One account's tokens are where they are: two months that happen to be neighbours share their nodes at any cluster size. And nodes own unequal shares, so that many partitions meet on the larger owners.",
		Columns: []result.Column{{Name: "nodes"}},
	}
	for _, s := range all {
		t.Columns = append(t.Columns, result.Column{Name: s.name}, result.Column{Name: "closed form"})
	}
	for i, nodes := range clusterSizes {
		row := []result.Cell{result.Count(nodes)}
		for _, s := range all {
			row = append(row, result.Number(s.by[i].holding, 2), result.Number(theory.NodesHolding(int64(nodes), copies, int64(len(s.parts))), 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func replicasFigure(name, title, axis, unit string, all []scheme, y func(placement) float64) result.Figure {
	f := result.Figure{
		Name: name, Kind: result.Lines, Title: title, Table: name,
		Caption: fmt.Sprintf("Mean over %d clusters of each size, %d copies, %d random tokens a node.", clusters, copies, tokensEach),
		X:       result.Axis{Name: "nodes", Log: true},
		Y:       result.Axis{Name: axis, Unit: unit, Decimals: 1},
		Alt:     fmt.Sprintf("%s, in clusters of %d and of %d nodes.", title, clusterSizes[0], clusterSizes[len(clusterSizes)-1]),
	}
	if unit == "%" {
		least, most := 0.0, 100.0
		f.Y.Min, f.Y.Max = &least, &most
	} else {
		f.Y.Log = true
	}
	for _, s := range all {
		var points []result.Point
		for i, nodes := range clusterSizes {
			points = append(points, result.Point{X: float64(nodes), Y: y(s.by[i])})
		}
		f.Series = append(f.Series, result.Series{Name: s.name, Points: points})
		f.Alt += fmt.Sprintf(" %s: %s and %s%s.", upper(s.name), num(points[0].Y, 1), num(points[len(points)-1].Y, 1), map[bool]string{true: " %"}[unit == "%"])
	}
	return f
}
