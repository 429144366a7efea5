// Package data carries the project's recorded facts inside the program: files that people read and edit as text.
package data

import _ "embed"

//go:embed limits/limits.csv
var limits string

//go:embed limits/keys.csv
var keys string

// Limits is limits/limits.csv: what stores recommend and enforce. Package sizing reads it.
func Limits() string { return limits }

// Keys is limits/keys.csv: how stores write a key. Package store reads it.
func Keys() string { return keys }
