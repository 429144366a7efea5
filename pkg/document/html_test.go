package document

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// The page without its style and scripts, which are long.
func TestPage(t *testing.T) {
	page := string(render(t, sample())["index.html"])
	for name, part := range map[string]string{"STYLE": pageCSS, "SCRIPT": pageJS} {
		if !strings.Contains(page, part) {
			t.Errorf("no %s", name)
		}
		page = strings.ReplaceAll(page, part, name)
	}
	golden(t, "index.html", []byte(regexp.MustCompile(`'sha256-[^']*'`).ReplaceAllString(page, "HASH")))
}

// M2: a second chart with an id of the first stays blank.
func TestIDsAreUnique(t *testing.T) {
	d := sample()
	d.Text.(fstest.MapFS)["how.md"] = &fstest.MapFile{Data: []byte(
		"## How it was counted\n## Contents\n## page:contents\n## figure:bars\n## table main\n## Numbers\n## Pages & rows\n## a\n## a-b")}
	page := string(render(t, d)["index.html"])
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`<[^>]* id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if seen[m[1]] {
			t.Errorf("id %s twice", m[1])
		}
		seen[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`<[^>]*(?:href="|url\()#([^")]*)`).FindAllStringSubmatch(page, -1) {
		if !seen[m[1]] {
			t.Errorf("reference to %s, which is not there", m[1])
		}
	}
	if len(seen) < 20 {
		t.Error("too few ids seen", len(seen))
	}
}

// R1: the page asks nothing of the network.
func TestOffline(t *testing.T) {
	page := string(render(t, sample())["index.html"])
	for _, bad := range []string{`src=`, `<link`, `@import`, `url\(['"]?[^#'")]`, `<iframe`, `<object`, `<img`, ` style=`, ` on[a-z]+=`} {
		if m := regexp.MustCompile(`<[^>]*` + bad).FindString(page); m != "" {
			t.Errorf("%s in %.80s", bad, m)
		}
	}
	if regexp.MustCompile(`url\(|@import`).MatchString(pageCSS) {
		t.Error("the style loads something")
	}
}

// The policy names exactly the style and the scripts in the page, as a browser reads them.
func TestPolicy(t *testing.T) {
	page := string(render(t, sample())["index.html"])
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
	want := "default-src 'none'; script-src"
	for _, m := range regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1) {
		want += " " + hash(m[1])
	}
	want += "; style-src " + hash(regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1])
	if want += "; base-uri 'none'; form-action 'none'"; policy != want {
		t.Errorf("%s\nwant %s", policy, want)
	}
	if strings.Contains(page, "\r") {
		t.Error("a carriage return changes the hash")
	}
}

// M5: a picture stands in the page with all its lines, four times under ids of its own.
func TestPicturesSurvive(t *testing.T) {
	page := string(render(t, sample())["index.html"])
	for _, variant := range []string{"light-wide", "dark-wide", "light-narrow", "dark-narrow"} {
		want := strings.NewReplacer(`<clipPath id="a">`, `<clipPath id="bars:`+variant+`:a">`, `id="a-b"`, `id="bars:`+variant+`:a-b"`,
			`url(#a)`, `url(#bars:`+variant+`:a)`, `href="#a-b"`, `href="#bars:`+variant+`:a-b"`).Replace(svg[strings.Index(svg, "<svg"):])
		if !strings.Contains(page, want) {
			t.Errorf("no %s:\n%s", variant, want)
		}
	}
	d := sample()
	d.Drawings["bars"] = Drawing{LightWide: []byte(svg), Standalone: []byte(svg)}
	page = string(render(t, d)["index.html"])
	if strings.Count(page, "<svg") != 1 || !strings.Contains(page, `class="static light wide dark narrow"`) || strings.Contains(page, "data-options=") {
		t.Error("one picture must serve for all, without a live chart")
	}
}

// Text is readable in both themes: contrast 4.5 (WCAG AA).
func TestContrast(t *testing.T) {
	for i, block := range regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(pageCSS, 2) {
		colour := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): #(\w\w)(\w\w)(\w\w);`).FindAllStringSubmatch(block[1], -1) {
			var sum float64
			for k, weight := range []float64{.2126, .7152, .0722} {
				var c int
				fmt.Sscanf(m[k+2], "%x", &c)
				l := float64(c) / 255 / 12.92
				if c > 10 {
					l = math.Pow((float64(c)/255+.055)/1.055, 2.4)
				}
				sum += weight * l
			}
			colour[m[1]] = sum
		}
		for _, pair := range []string{"ink paper", "quiet paper", "link paper", "ink soft", "ink answer", "link answer", "ink care", "link care"} {
			var a, b string
			fmt.Sscan(pair, &a, &b)
			high, low := max(colour[a], colour[b]), min(colour[a], colour[b])
			if ratio := (high + .05) / (low + .05); ratio < 4.5 {
				t.Errorf("theme %d, %s: %.1f", i, pair, ratio)
			}
		}
	}
}
