package result

// Figure is a picture as data. It is drawn once as a static SVG and once as an interactive chart, both from this.
type Figure struct {
	Name    string   `json:"name"`    // file name of its SVG, unique in the whole report
	Kind    Kind     `json:"kind"`    //
	Title   string   `json:"title"`   // one line, plain text
	Caption string   `json:"caption"` // printed under the picture
	Alt     string   `json:"alt"`     // what the picture shows, for whoever does not see it; numbers included
	X       Axis     `json:"x"`
	Y       Axis     `json:"y"`
	Series  []Series `json:"series,omitempty"`
	Marks   []Mark   `json:"marks,omitempty"`
	Panels  []Panel  `json:"panels,omitempty"` // of a PageMap
	Table   string   `json:"table,omitempty"`  // name of the table that holds its numbers
}

// Kind is how a figure is drawn.
type Kind string

const (
	Bars    Kind = "bars"    // grouped (or stacked) columns over X.Categories
	HBars   Kind = "hbars"   // the same lying down, for long category names: X.Categories run down the side
	Lines   Kind = "lines"   // polylines through the points, X and Y numeric
	Steps   Kind = "steps"   // as Lines, each value holding until the next X
	Dots    Kind = "dots"    // a scatter of the points
	Heat    Kind = "heat"    // a grid over X.Categories and Y.Categories, coloured by Point.Z
	PageMap Kind = "pagemap" // files as rectangles of pages, the touched ones marked: see Panels
)

// Axis is one axis of a figure.
type Axis struct {
	Name       string   `json:"name"`
	Unit       string   `json:"unit,omitempty"`
	Categories []string `json:"categories,omitempty"` // for Bars, HBars and Heat
	Log        bool     `json:"log,omitempty"`        // base 10
	Decimals   int      `json:"decimals,omitempty"`   // of the values shown in tooltips and labels
	Min        *float64 `json:"min,omitempty"`        // nil: chosen from the data
	Max        *float64 `json:"max,omitempty"`
}

// Series is one set of marks with a name in the legend.
type Series struct {
	Name   string  `json:"name"`
	Stack  string  `json:"stack,omitempty"`  // bars with the same stack stand on each other
	Labels bool    `json:"labels,omitempty"` // print the values beside the marks
	Points []Point `json:"points"`
}

// Point is one datum. Over categories, X (and in Heat Y) is the category's number from 0.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z,omitempty"` // Heat only
}

// Mark is a reference line across the figure.
type Mark struct {
	Axis  string  `json:"axis"` // "x" (a vertical line) or "y" (a horizontal one)
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// Panel is one file of a PageMap: its pages row by row from the top left, Columns to a row.
type Panel struct {
	Name    string  `json:"name"`
	Pages   int64   `json:"pages"`
	Columns int64   `json:"columns"`
	Touched []int64 `json:"touched"` // page numbers, ascending
}
