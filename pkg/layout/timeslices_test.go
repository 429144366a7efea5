package layout

import (
	"reflect"
	"testing"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/workload"
)

// plain hides that a workload is generated, so that its rows are cut one by one.
type plain struct{ workload.Workload }

func TestCountedSlicesAreCutOnes(t *testing.T) {
	from := bucket.Month.Start(660) + 5*day + 1234 // in January 2025
	for seed := range uint64(20) {
		p := &workload.Posts{Count: 500 + int64(seed)*97, Users: 3 + int(seed), From: from, To: from + 200*day + int64(seed)*day/3, Bytes: 7, Seed: seed, Account: int64(seed%3) * 300}
		for _, width := range []bucket.Width{bucket.Month, bucket.Week, bucket.Quarter, bucket.Year, bucket.Forever, bucket.Fixed(10 * day)} {
			counted := countSlices(p, width)
			cut, err := newTimeSlices(plain{p}, width)
			if err != nil || counted == nil {
				t.Fatalf("seed %d, %s: %v, counted %v", seed, width, err, counted)
			}
			if !reflect.DeepEqual(counted, cut) {
				t.Fatalf("seed %d, %s: counted %+v, cut %+v", seed, width, counted, cut)
			}
		}
	}
}
