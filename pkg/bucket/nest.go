package bucket

// Nests reports whether every bucket of w lies inside one bucket of v, so that counts by v are sums of counts by w.
func (w Width) Nests(v Width) bool {
	switch {
	case v.months == 0 && v.length == 0:
		return true
	case w.months > 0:
		return v.months > 0 && v.months%w.months == 0
	case w.length == 0:
		return false
	case v.months > 0: // calendar buckets begin at midnights
		return day%w.length == 0 && w.offset%w.length == 0
	}
	return v.length%w.length == 0 && (v.offset-w.offset)%w.length == 0
}

// Common is the longest fixed width whose buckets nest in those of every given width; Forever if it was given
// nothing else.
func Common(widths ...Width) Width {
	var length int64
	for _, w := range widths {
		length = gcd(gcd(length, w.length), w.offset)
		if w.months > 0 {
			length = gcd(length, day)
		}
	}
	if length == 0 {
		return Forever
	}
	return Fixed(length)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Even reports whether all buckets of w have one length, as those of calendar months have not.
func (w Width) Even() bool { return w.months == 0 }
