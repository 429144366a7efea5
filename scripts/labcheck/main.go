// Command labcheck opens notebooks in a running JupyterLab with Chromium and looks at them as a reader would:
//
//	go run ./scripts/labcheck -url 'http://127.0.0.1:8888/lab?token=...' -shots DIR [-run] [-complete TEXT=NAME] notebooks/01-latest-20.ipynb ...
//
// Every figure must have been drawn: its pixels are counted, and a blank one is an error. So is any error output. Without
// -run the stored outputs are looked at; with it, all cells are run first. Hosts other than 127.0.0.1 cannot be resolved,
// so what needs a network shows. JupyterLab must have been started with --LabApp.expose_app_in_browser=True, for -run. Screenshots are left in DIR.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func main() {
	lab := flag.String("url", "", "address of JupyterLab, with its token, as it prints it")
	shots := flag.String("shots", "", "folder for screenshots")
	run := flag.Bool("run", false, "run all cells first")
	complete := flag.String("complete", "", "TEXT=NAME: completing TEXT, added to the first code cell, must offer NAME")
	wait := flag.Duration("timeout", 2*time.Minute, "for each notebook")
	flag.Parse()
	if *lab == "" || *shots == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1200, 1600),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	browser, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	failed := 0
	for _, name := range flag.Args() {
		tab, closeTab := chromedp.NewContext(browser)
		err := chromedp.Do(tab, chromedp.Navigate("about:blank")) // starts the browser, which must outlive the timeout
		n := 0
		if err == nil {
			ctx, cancel := context.WithTimeout(tab, *wait)
			n, err = check(ctx, *lab, name, *shots, *run, *complete)
			cancel()
		}
		closeTab()
		if err != nil {
			failed++
			fmt.Printf("FAIL %s: %v\n", name, err)
			continue
		}
		fmt.Printf("ok   %s: %d figures\n", name, n)
	}
	fmt.Printf("%d passed, %d failed\n", flag.NArg()-failed, failed)
	if failed > 0 {
		stop()
		os.Exit(1)
	}
}

// figure selects what notebook.Show and notebook.ShowInteractive draw into.
const figure = `.jp-OutputArea-output img, .jp-OutputArea-output div[role=img]`

func check(ctx context.Context, lab, name, shots string, run bool, complete string) (figures int, err error) {
	address, err := url.Parse(lab)
	if err != nil {
		return 0, err
	}
	address.Path = "/lab/tree/" + name
	query := address.Query()
	query.Set("reset", "")
	address.RawQuery = query.Encode()
	if err := chromedp.Do(ctx, chromedp.Navigate(address.String())); err != nil {
		return 0, fmt.Errorf("opening it: %w", err)
	}
	if err := until(ctx, `document.querySelectorAll(".jp-Notebook .jp-Cell").length > 0`); err != nil {
		photograph(ctx, filepath.Join(shots, "failed.png"))
		return 0, fmt.Errorf("opening it: %w", err)
	}
	if run {
		if err := runAll(ctx); err != nil {
			return 0, fmt.Errorf("running all cells: %w", err)
		}
	}
	if err := until(ctx, "document.querySelector(`"+figure+"`)"); err != nil {
		return 0, fmt.Errorf("no figure in it: %w", err)
	}
	errors, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll('.jp-OutputArea-output[data-mime-type*="stderr"], .jp-OutputArea-output[data-mime-type*="error"]')].map(e => e.innerText)`))
	if err != nil {
		return 0, err
	}
	images, err := chromedp.Run(ctx, chromedp.Evaluate[int]("document.querySelectorAll(`"+figure+"`).length"))
	if err != nil {
		return 0, err
	}
	if len(errors) > 0 {
		return 0, fmt.Errorf("error output: %s", strings.Join(errors, "; "))
	}
	base := strings.TrimSuffix(filepath.Base(name), ".ipynb")
	for i := range images {
		if err := look(ctx, fmt.Sprintf("document.querySelectorAll(`%s`)[%d].id = 'figure-%[2]d'", figure, i)); err != nil {
			return 0, err
		}
		id := fmt.Sprintf("#figure-%d", i)
		// JupyterLab lays cells out as they come into view, which may move this one out again. A blank figure stays blank.
		for try := 1; ; try++ {
			if err := chromedp.Do(ctx, chromedp.ScrollIntoView(id), chromedp.Sleep(500*time.Millisecond)); err != nil {
				return 0, fmt.Errorf("figure %d: %w", i+1, err)
			}
			picture, err := chromedp.Run(ctx, chromedp.Screenshot(id))
			if err != nil {
				return 0, fmt.Errorf("figure %d: %w", i+1, err)
			}
			if err := os.WriteFile(filepath.Join(shots, fmt.Sprintf("%s-figure-%d.png", base, i+1)), picture, 0o644); err != nil {
				return 0, err
			}
			if err = drawn(picture); err == nil {
				break
			}
			if try == 10 {
				return 0, fmt.Errorf("figure %d: %w", i+1, err)
			}
		}
	}
	if err := photograph(ctx, filepath.Join(shots, base+".png")); err != nil {
		return 0, err
	}
	if complete != "" {
		err = offers(ctx, complete, filepath.Join(shots, base+"-completion.png"))
	}
	return images, err
}

// runAll clears what is stored, so that it cannot be taken for what comes out now, and waits until no cell is running.
func runAll(ctx context.Context) error {
	if err := command(ctx, "notebook:clear-all-cell-outputs"); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Sleep(2*time.Second)); err != nil {
		return err
	}
	if err := command(ctx, "notebook:run-all-cells"); err != nil {
		return err
	}
	return until(ctx, `document.querySelector(".jp-OutputArea-output") &&
		[...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")].every(p => !p.innerText.includes("*"))`)
}

// until waits for a condition in the page, and a little longer, for what is drawn then.
func until(ctx context.Context, condition string) error {
	for {
		met, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+condition+")"))
		if err != nil {
			return err
		}
		if err := chromedp.Do(ctx, chromedp.Sleep(time.Second)); err != nil || met {
			return err
		}
	}
}

// command gives JupyterLab one of the commands behind its menus.
func command(ctx context.Context, name string) error {
	return look(ctx, fmt.Sprintf("void window.jupyterapp.commands.execute(%q), 0", name))
}

func look(ctx context.Context, script string) error {
	_, err := chromedp.Run(ctx, chromedp.Evaluate[any](script))
	return err
}

func photograph(ctx context.Context, file string) error {
	page, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	return os.WriteFile(file, page, 0o644)
}

// drawn reports an error for a picture that is blank or nearly so.
func drawn(picture []byte) error {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return err
	}
	size := img.Bounds()
	colours := make(map[[3]uint32]int)
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}]++
		}
	}
	most, all := 0, size.Dx()*size.Dy()
	for _, n := range colours {
		most = max(most, n)
	}
	if size.Dx() < 100 || size.Dy() < 100 || len(colours) < 4 || all-most < all/200 {
		return fmt.Errorf("it is blank: %d x %d pixels, %d colours, %d pixels unlike the commonest", size.Dx(), size.Dy(), len(colours), all-most)
	}
	return nil
}

// offers adds a line to the first code cell and asks for completion.
func offers(ctx context.Context, complete, shot string) error {
	text, name, _ := strings.Cut(complete, "=")
	cell := ".jp-CodeCell .cm-content"
	err := chromedp.Do(ctx,
		chromedp.ScrollIntoView(cell), chromedp.Click(cell),
		chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)),
		chromedp.KeyEvent("\r"+text), chromedp.Sleep(2*time.Second))
	if err != nil {
		return fmt.Errorf("completion: %w", err)
	}
	for try := 1; ; try++ { // gopls reads the whole project before its first answer, which comes too late then
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\t"), chromedp.Sleep(10*time.Second)); err != nil {
			return fmt.Errorf("completion: %w", err)
		}
		if err := photograph(ctx, shot); err != nil {
			return err
		}
		offered, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(document.querySelector(".jp-Completer") || document.querySelector(".jp-CodeCell .cm-content")).innerText`))
		if err != nil {
			return err
		}
		if strings.Contains(offered, name) {
			return nil
		}
		if try == 4 {
			return fmt.Errorf("completing %q does not offer %s but: %s", text, name, offered)
		}
	}
}
