package main

import (
	"context"
	"io"
	"os"
	"testing"
)

func BenchmarkJSON(b *testing.B) {
	for _, of := range []struct {
		name string
		args []string
	}{{"lesson", []string{"-json", "-only", "latest-20,march-2025"}}, {"all", []string{"-json"}}} {
		b.Run(of.name, func(b *testing.B) {
			for b.Loop() {
				if code := run(context.Background(), of.args, io.Discard, os.Stderr); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
