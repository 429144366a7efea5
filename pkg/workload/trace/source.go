package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that a zstd stream may ask for.
const maxWindow = 128 << 20

// openFile opens a regular file or anything else that can be read as a stream.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory: name a file in it", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// sizeOf is the size of a regular file, 0 for anything else.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// counted tells how far reading has come.
type counted struct {
	io.Reader
	read, total int64
	progress    func(read, total int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	if c.progress != nil && n > 0 {
		c.progress(c.read, c.total)
	}
	return n, err
}

// source is a stream of text, decompressed where need be.
type source struct {
	io.Reader
	compression string // "gzip", "zstd" or none
	close       func()
}

var (
	gzipMagic    = []byte{0x1f, 0x8b}
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	parquetMagic = []byte("PAR1")
)

// isParquet tells whether a file begins as Parquet files do.
func isParquet(f *os.File) bool {
	magic := make([]byte, len(parquetMagic))
	_, err := f.ReadAt(magic, 0)
	return err == nil && bytes.Equal(magic, parquetMagic)
}

// decompress looks at the first bytes, whatever the file's name says.
func decompress(r io.Reader) (*source, error) {
	b := bufio.NewReaderSize(r, 256<<10)
	magic, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, explain(err, "gzip")
		}
		return &source{z, "gzip", func() { z.Close() }}, nil
	case bytes.HasPrefix(magic, zstdMagic):
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, explain(err, "zstd")
		}
		return &source{z, "zstd", z.Close}, nil
	}
	return &source{b, "", func() {}}, nil
}

// explain says what a decompressor's error means for the file.
func explain(err error, compression string) error {
	switch {
	case compression == "":
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s data ends in the middle: the file was cut, get it again: %w", compression, err)
	}
	return fmt.Errorf("the %s data is damaged: %w", compression, err)
}
