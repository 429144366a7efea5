package experiment

import (
	"runtime"
	"sync"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/layout"
	"pagetouch/pkg/result"
	"pagetouch/pkg/theory"
	"pagetouch/pkg/workload"
)

// Lab is a setting with its workloads counted and its layouts placed at most once, however many experiments ask.
type Lab struct {
	Setting
	posts     func() (*bench, error) // the lesson's posts
	mixed     func() (*bench, error) // the same with the big account mixed into the arrivals
	mixedCuts layout.Cuts            // of mixed
	large     sync.Mutex             // held while a layout exists that is dropped again: see try
}

// New is a lab for a setting. Nothing is computed, and no error reported, before an experiment asks.
func New(s Setting) *Lab {
	l := &Lab{Setting: s}
	l.posts = sync.OnceValues(func() (*bench, error) { return l.newBench(0) })
	l.mixed = sync.OnceValues(func() (*bench, error) { return l.newBench(s.Account) })
	return l
}

// Even is the setting as closed forms see it, with so many posts of a big account mixed in.
func (l *Lab) Even(account int64) theory.Even {
	return theory.Even{Rows: l.Posts, Users: int64(l.Users), Others: account, PerPage: l.PerPage(), Fanout: l.Page().Fanout(l.EntryBytes)}
}

// bench is one workload, the sampled users' rows, and what is placed from them.
type bench struct {
	*layout.Input
	users []workload.Entity // the sampled ordinary users
	mu    sync.Mutex
	kinds map[string]func() (layout.Layout, error)
}

func (l *Lab) newBench(account int64) (*bench, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	w := l.Setting.posts(account)
	asked := workload.Sample(l.Users, l.Sample, l.Seed)
	if account > 0 {
		asked = append(asked, l.Users)
	}
	c, err := workload.Count(w, asked)
	if err != nil {
		return nil, err
	}
	b := &bench{Input: l.input(w, c), users: c.Asked[:l.Sample], kinds: map[string]func() (layout.Layout, error){}}
	if account > 0 {
		b.Cuts = &l.mixedCuts
	}
	return b, nil
}

// mixedByMonth is mixed with the posts cut into months, which is done beside the census.
func (l *Lab) mixedByMonth() (*bench, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	wg.Go(func() { l.mixedCuts.Ahead(l.Setting.posts(l.Account), bucket.Month) }) // whoever places them sees the error again
	b, err := l.mixed()
	wg.Wait()
	return b, err
}

// account is the big account's rows.
func (b *bench) account() *workload.Entity { return &b.Census.Asked[len(b.Census.Asked)-1] }

// place lays the bench's rows out, once for each kind.
func (b *bench) place(k layout.Kind) (layout.Layout, error) {
	b.mu.Lock()
	placed, ok := b.kinds[k.Name]
	if !ok {
		placed = sync.OnceValues(func() (layout.Layout, error) { return k.Place(b.Input) })
		b.kinds[k.Name] = placed
	}
	b.mu.Unlock()
	return placed()
}

// lesson is the rows in the lesson's two layouts.
func (b *bench) lesson() (heap, partition layout.Layout, err error) {
	if heap, err = b.place(layout.Arrival); err != nil {
		return nil, nil, err
	}
	partition, err = b.place(layout.Partition)
	return heap, partition, err
}

// try lays the bench's rows out, hands the layout to use and drops it: for kinds that no other experiment asks for and
// that may be large. One is placed at a time, and what the last one took is given back first, so that memory holds one.
func (l *Lab) try(b *bench, k layout.Kind, use func(layout.Layout)) error {
	l.large.Lock()
	defer l.large.Unlock()
	alone := *b.Input
	alone.Cuts = nil
	placed, err := k.Place(&alone)
	if err != nil {
		return err
	}
	use(placed)
	placed = nil
	runtime.GC()
	return nil
}

// read executes one read for each user, from cold each time.
func read(users []workload.Entity, execute func(*layout.Trail, *workload.Entity)) reads {
	touches := make(reads, len(users))
	var wg sync.WaitGroup
	parts := min(runtime.GOMAXPROCS(0), 1+len(users)/256)
	for part := range parts {
		wg.Go(func() {
			var trail layout.Trail
			for i := len(users) * part / parts; i < len(users)*(part+1)/parts; i++ {
				trail.Reset()
				execute(&trail, &users[i])
				touches[i] = trail.Touch()
			}
		})
	}
	wg.Wait()
	return touches
}

// sums is what one read touched for all users together, where nobody's own count is asked for.
type sums struct {
	users int
	layout.Touch
}

func (s sums) sum(count func(layout.Touch) int) int64 { return int64(count(s.Touch)) }

func (s sums) mean(count func(layout.Touch) int) float64 {
	return float64(s.sum(count)) / float64(s.users)
}

// add counts one more user's read.
func (s *sums) add(t layout.Touch) {
	s.users++
	s.Partitions += t.Partitions
	s.EmptyPartitions += t.EmptyPartitions
	s.IndexPages += t.IndexPages
	s.DataPages += t.DataPages
	s.EntriesExamined += t.EntriesExamined
	s.RowsExamined += t.RowsExamined
	s.RowsReturned += t.RowsReturned
	s.Files += t.Files
	s.EmptyFiles += t.EmptyFiles
}

// readAll executes several reads for each user, from cold each time.
func readAll(users []workload.Entity, execute []func(*layout.Trail, *workload.Entity)) []sums {
	parts := min(runtime.GOMAXPROCS(0), 1+len(users)/256)
	of := make([][]sums, parts)
	var wg sync.WaitGroup
	for part := range parts {
		of[part] = make([]sums, len(execute))
		wg.Go(func() {
			var trail layout.Trail
			for i := len(users) * part / parts; i < len(users)*(part+1)/parts; i++ {
				for k, read := range execute {
					trail.Reset()
					read(&trail, &users[i])
					of[part][k].add(trail.Touch())
				}
			}
		})
	}
	wg.Wait()
	for _, part := range of[1:] {
		for k := range part {
			n := of[0][k].users + part[k].users
			of[0][k].add(part[k].Touch)
			of[0][k].users = n
		}
	}
	return of[0]
}

// latest executes latest n for each user.
func latest(l layout.Layout, users []workload.Entity, n int) reads {
	return read(users, func(t *layout.Trail, e *workload.Entity) { l.Latest(t, e, n) })
}

// between executes a range read for each user.
func between(l layout.Layout, users []workload.Entity, from, to int64) reads {
	return read(users, func(t *layout.Trail, e *workload.Entity) { l.Range(t, e, from, to) })
}

// reads is what one read touched, user by user.
type reads []layout.Touch

// sum adds one count over the users.
func (r reads) sum(count func(layout.Touch) int) int64 {
	total := int64(0)
	for i := range r {
		total += int64(count(r[i]))
	}
	return total
}

// mean is a sum over the users divided by their number, once.
func (r reads) mean(count func(layout.Touch) int) float64 {
	return float64(r.sum(count)) / float64(len(r))
}

// values is one count, user by user.
func (r reads) values(count func(layout.Touch) int) []int64 {
	v := make([]int64, len(r))
	for i, t := range r {
		v[i] = int64(count(t))
	}
	return v
}

// What can be counted of a touch.
func dataPages(t layout.Touch) int       { return t.DataPages }
func indexPages(t layout.Touch) int      { return t.IndexPages }
func totalPages(t layout.Touch) int      { return t.DataPages + t.IndexPages }
func entriesExamined(t layout.Touch) int { return t.EntriesExamined }
func rowsExamined(t layout.Touch) int    { return t.RowsExamined }
func rowsReturned(t layout.Touch) int    { return t.RowsReturned }
func partitions(t layout.Touch) int      { return t.Partitions }
func emptyPartitions(t layout.Touch) int { return t.EmptyPartitions }

// Experiment is one question of the lesson.
type Experiment struct {
	Name  string // of its section: "latest-20"
	Order int    // where it stands in the appendix
	Run   func(*Lab) (*result.Result, error)
}
