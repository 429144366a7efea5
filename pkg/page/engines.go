package page

// InnoDB is a leaf of a clustered index filled in key order: 16 KiB of which 15/16 are used; 38 bytes of file header, 56 of
// page header, 26 of the two boundary records and 8 of trailer; a record carries 5 bytes of header, 6 of transaction and 7
// of roll pointer. Source: MySQL manual, "The Physical Structure of an InnoDB Index" and "InnoDB Row Formats"; MySQL
// internals, "InnoDB Page Structure".
var InnoDB = Format{Bytes: 16384, Header: 128, RowHeader: 18, Fill: 93}

// Engines are the formats that have a name.
func Engines() map[string]Format {
	return map[string]Format{"lesson": Lesson, "postgres": PostgresHeap, "innodb": InnoDB}
}
