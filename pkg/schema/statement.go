package schema

import (
	"slices"
	"strings"
)

// form is how a statement is told from prose: by what follows its first word.
type form struct {
	next  []string // one of these directly
	later string   // this somewhere
	line  bool     // a command of cqlsh: it needs no ; and ends with its line
}

// forms are the first words of CQL statements (Cassandra and ScyllaDB documentation) and of cqlsh's commands.
var forms = map[string]form{
	"CREATE":   {next: []string{"KEYSPACE", "SCHEMA", "INDEX", "CUSTOM", "TYPE", "FUNCTION", "AGGREGATE", "OR", "ROLE", "USER", "TRIGGER", "SERVICE", "SERVICE_LEVEL", "SEARCH"}},
	"ALTER":    {next: []string{"TABLE", "COLUMNFAMILY", "KEYSPACE", "SCHEMA", "TYPE", "MATERIALIZED", "ROLE", "USER", "SERVICE", "SERVICE_LEVEL", "SEARCH"}},
	"DROP":     {next: []string{"TABLE", "COLUMNFAMILY", "KEYSPACE", "SCHEMA", "TYPE", "MATERIALIZED", "INDEX", "FUNCTION", "AGGREGATE", "ROLE", "USER", "TRIGGER", "SERVICE", "SERVICE_LEVEL", "IDENTITY", "SEARCH"}},
	"INSERT":   {next: []string{"INTO"}},
	"UPDATE":   {later: "SET"},
	"DELETE":   {later: "FROM"},
	"SELECT":   {later: "FROM"},
	"TRUNCATE": {},
	"USE":      {},
	"BEGIN":    {later: "BATCH"},
	"APPLY":    {next: []string{"BATCH"}},
	"GRANT":    {later: "TO"},
	"REVOKE":   {later: "FROM"},
	"LIST":     {next: []string{"ROLES", "USERS", "ALL", "SUPERUSERS", "CREATE", "ALTER", "DROP", "SELECT", "MODIFY", "AUTHORIZE", "DESCRIBE", "EXECUTE", "SERVICE"}},
	"ADD":      {next: []string{"IDENTITY"}},
	"COMMENT":  {next: []string{"ON"}},

	"DESCRIBE": {line: true}, "DESC": {line: true}, "SOURCE": {line: true}, "COPY": {line: true}, "CONSISTENCY": {line: true},
	"SERIAL": {next: []string{"CONSISTENCY"}, line: true}, "TRACING": {line: true}, "PAGING": {line: true}, "EXPAND": {line: true},
	"CAPTURE": {line: true}, "LOGIN": {line: true}, "SHOW": {next: []string{"VERSION", "HOST", "SESSION", "REPLICAS"}, line: true},
}

// mostUnknown is how many statements that are no CQL are named: prose has no end of them.
const mostUnknown = 10

// other passes over a statement whose first word was read.
func (p *parser) other(s *Script, first token) {
	f, known := forms[strings.ToUpper(first.text)]
	known = known && first.kind == word && (f.next == nil || slices.ContainsFunc(f.next, p.at.is))
	met := f.later == ""
	for p.err == nil && p.at.kind != end && !p.at.is(";") && !(known && f.line && p.at.Line > first.Line) {
		met = met || p.at.is(f.later)
		p.advance()
	}
	switch {
	case p.err != nil:
	case known && met:
		s.Others++
	case len(s.Unknown) == mostUnknown:
		s.More++
	default:
		s.Unknown = append(s.Unknown, Word{first.Pos, short(first.text)})
	}
}
