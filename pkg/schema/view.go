package schema

// view reads CREATE MATERIALIZED VIEW from its name on: its key is that of a table, its columns are those of its base.
func (p *parser) view(before []Table) Table {
	t := p.named("view")
	p.want("AS", "after view "+t.Name)
	p.want("SELECT", "after AS")
	var listed []place
	if !p.accept("*") {
		for p.err == nil {
			name, at := p.name("a column or *")
			listed = append(listed, place{at, name})
			if !p.accept(",") {
				break
			}
		}
	}
	p.want("FROM", "after the columns of view "+t.Name)
	keyspace, base, _ := p.qualified("table")
	t.Base = base
	for p.err == nil && p.at.kind != end && !p.at.is(";") && !p.at.is("PRIMARY") { // WHERE ...
		p.advance()
	}
	k := primary{Pos: p.at.Pos}
	p.want("PRIMARY", "in view "+t.Name)
	p.want("KEY", "after PRIMARY")
	p.key(&k)
	if p.err != nil {
		return t
	}
	if keyspace == "" {
		keyspace = t.Keyspace
	}
	p.viewColumns(&t, find(before, keyspace, base), listed, &k)
	p.finish(&t, &k)
	return t
}

// find is the last table of that name; one without a keyspace is in whatever keyspace is in use.
func find(tables []Table, keyspace, name string) *Table {
	for i := len(tables) - 1; i >= 0; i-- {
		if t := &tables[i]; t.Name == name && (t.Keyspace == keyspace || t.Keyspace == "" || keyspace == "") {
			return t
		}
	}
	return nil
}

// viewColumns are those of the base. Where the file does not hold it, the names are all there is to know.
func (p *parser) viewColumns(t, base *Table, listed []place, k *primary) {
	if base != nil && listed == nil {
		t.Columns = append(t.Columns, base.Columns...)
		return
	}
	if base == nil {
		listed = append(append(listed, k.partition...), k.clustering...)
	}
	for _, l := range listed {
		c := Column{Pos: l.Pos, Name: l.name}
		if base != nil {
			i := index(base.Columns, l.name)
			if i < 0 {
				p.stop(p.fail(l.Pos, "view %s selects %s, which is not a column of table %s: correct the name or define the column; it has %s", t.Name, Quote(l.name), base.Name, base.names()))
				return
			}
			c.Type, c.Static = base.Columns[i].Type, base.Columns[i].Static
		}
		if index(t.Columns, l.name) < 0 {
			t.Columns = append(t.Columns, c)
		}
	}
}

// typed reports whether the file says the types of all its columns.
func (t *Table) typed() bool {
	for _, c := range t.Columns {
		if c.Type.Name == "" {
			return false
		}
	}
	return true
}
