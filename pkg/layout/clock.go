package layout

// At is a layout as read at another time than it was placed for. Layouts whose reads do not depend on the time of
// reading are returned as they are.
func At(l Layout, now int64) Layout {
	if c, ok := l.(interface{ at(now int64) Layout }); ok {
		return c.at(now)
	}
	return l
}

func (l *bucketed) at(now int64) Layout {
	later := *l
	later.now = now
	return &later
}
