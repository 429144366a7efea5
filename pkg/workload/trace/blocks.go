package trace

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sync"
)

// blockBytes is how much text is parsed at a time, and so the length of the longest record.
const blockBytes = 1 << 20

// maxWorkers bounds the memory of blocks; more would wait for the reader and the collector, which are one each.
const maxWorkers = 8

// block is consecutive whole records on their way from the reader through a worker to the one who collects them.
type block struct {
	buffer []byte // room for blockBytes and a line end
	text   []byte // the records, in buffer
	long   bool   // instead of text: the next line was too long and has been passed over
	rows   rows
	parsed chan struct{} // one signal a round
}

// text is a stream of text that has been looked at.
type text struct {
	textFormat
	source *source
	size   int    // of a block, at least 2: a line end
	head   []byte // the first bytes, with a line end behind the last where whole is true
	whole  bool   // whether the stream ends with head
}

// readHead reads the first block of a stream.
func readHead(source *source, size int) (*text, error) {
	t := &text{source: source, size: size, head: make([]byte, 0, size+1)}
	var err error
	t.head, t.whole, err = fill(t.head, size, source)
	return t, err
}

// fill reads until the buffer holds size bytes or the stream ends; then the last line gets the end it may lack.
func fill(buffer []byte, size int, source io.Reader) (filled []byte, end bool, err error) {
	for len(buffer) < size {
		n, err := source.Read(buffer[len(buffer):size])
		buffer = buffer[:len(buffer)+n]
		if err == io.EOF {
			if len(buffer) > 0 && buffer[len(buffer)-1] != '\n' {
				buffer = append(buffer, '\n')
			}
			return buffer, true, nil
		}
		if err != nil {
			return buffer, false, err
		}
	}
	return buffer, false, nil
}

// each parses the text in blocks, on up to eight processors side by side, and hands their rows to collect in order. It stops
// at the first error. A stream that blocks may keep one goroutine waiting after each has returned.
func (t *text) each(ctx context.Context, collect func(*rows) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	blocks := workers + 3 // one each, one being read, one being collected and one ready
	free, work, ordered := make(chan *block, blocks), make(chan *block, blocks), make(chan *block, blocks)
	for range blocks {
		free <- &block{buffer: make([]byte, 0, t.size+1), rows: newRows(), parsed: make(chan struct{}, 1)}
	}
	var readError error
	go func() {
		readError = t.read(ctx, free, work, ordered)
		t.source.close() // here, where nothing reads from it any more
		close(work)
		close(ordered)
	}()
	var running sync.WaitGroup
	defer running.Wait()
	for range workers {
		running.Go(func() { t.work(ctx, work) })
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, more := <-ordered:
			if !more {
				return readError
			}
			select {
			case <-b.parsed:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := collect(&b.rows); err != nil {
				cancel()
				return err
			}
			free <- b
		}
	}
}

func (t *text) work(ctx context.Context, work <-chan *block) {
	for {
		select {
		case <-ctx.Done():
			return
		case b, more := <-work:
			if !more {
				return
			}
			b.rows.reset()
			if b.long {
				b.rows.fault(1, "the line is longer than %d bytes", t.size)
			} else {
				t.parse(b.text, &b.rows)
			}
			b.parsed <- struct{}{}
		}
	}
}

// read cuts the stream into blocks of whole records.
func (t *text) read(ctx context.Context, free <-chan *block, work, ordered chan<- *block) error {
	take := func() (*block, error) {
		select {
		case b := <-free:
			return b, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	b, err := take()
	if err != nil {
		return err
	}
	b.buffer = append(b.buffer[:0], t.head...)
	end := t.whole
	for {
		if !end {
			if b.buffer, end, err = fill(b.buffer, t.size, t.source); err != nil {
				return err
			}
		}
		if len(b.buffer) == 0 {
			return nil
		}
		certain := b.buffer
		if !end {
			certain = settled(certain)
		}
		n := t.split(certain)
		if n == 0 { // the first record is too long, or opens a quote that nothing closes: give up its first line
			_, n = lineEnd(certain)
		}
		next, err := take()
		if err != nil {
			return err
		}
		b.long = n < 0
		if b.long {
			if next.buffer, end, err = t.skipLine(b.buffer, next.buffer[:0]); err != nil {
				return err
			}
		} else {
			b.text = b.buffer[:n]
			next.buffer = append(next.buffer[:0], b.buffer[n:]...)
		}
		// Neither send waits: there are as many places as blocks.
		work <- b
		ordered <- b
		b = next
	}
}

// skipLine reads to the end of the line that begins with scratch, whose contents are lost, and puts what follows into
// rest. The line's end stays, so that an empty line stands for the long one.
func (t *text) skipLine(scratch, rest []byte) (filled []byte, end bool, err error) {
	for {
		if n := bytes.IndexAny(scratch, "\r\n"); n >= 0 {
			return append(rest, scratch[n:]...), end, nil
		}
		if end {
			return rest, true, nil
		}
		if scratch, end, err = fill(scratch[:0], t.size, t.source); err != nil {
			return rest, end, err
		}
	}
}
