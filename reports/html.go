package reports

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"darkroom/scenes/files"

	"darkroom/goldens/picture"
	"darkroom/goldens/png"
	"darkroom/parity/verdict"
)

//go:embed page
var pageFiles embed.FS

// DefaultEmbed is how many bytes of full-size pictures a page holds at most, unless told otherwise.
const DefaultEmbed = 48 << 20

// HTMLOptions for the page.
type HTMLOptions struct {
	Options
	// Embed is the most bytes of full-size pictures to put into the page; 0 is DefaultEmbed, negative none. The pictures of what does not pass go
	// in first. Thumbnails are always in. A picture that does not fit is linked by its path.
	Embed int64
}

// WriteHTML writes the page, whole or not at all. It is one file that needs no network and no other file.
//
// The page opens fast however many pictures it holds, because the browser only reads past them: thumbnails and pictures stand as base64 in inert
// script elements behind the program, are decoded when they are looked at, and one picture is stored once however often it is used. The difference
// is computed in the page, so it costs no space and its scale can be turned.
func WriteHTML(path string, r *verdict.Run, o HTMLOptions) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer os.Remove(f.Name())
	if o.Link == nil {
		o.Link = linkFrom(filepath.Dir(path), o.Root)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = cmp.Or(EncodeHTML(w, r, o), w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return files.Commit(f.Name(), path)
}

// linkFrom makes links from a page in a folder to pictures below root.
func linkFrom(page, root string) func(string) string {
	return func(path string) string {
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(root, path)
		}
		a, err1 := filepath.Abs(full)
		b, err2 := filepath.Abs(page)
		if rel, err := filepath.Rel(b, a); err == nil && err1 == nil && err2 == nil {
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(path)
	}
}

// pageData is what the program of the page starts from.
type pageData struct {
	Title    string       `json:"title"`
	Headline string       `json:"headline"`
	Exit     int          `json:"exit"`
	Noise    string       `json:"noise,omitempty"`
	Run      *verdict.Run `json:"run"`
	Verdicts []pageWord   `json:"verdicts"`
	Scenes   []pageScene  `json:"scenes"` // one for each result
	Heat     []string     `json:"heat"`   // 256 colours
}

type pageWord struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Class int    `json:"class"`
}

// pageScene says where the pictures of a result are.
type pageScene struct {
	OK     bool     `json:"ok"`    // counts as passed
	Thumb  int      `json:"thumb"` // index of the thumbnail, -1 for none
	Hot    int      `json:"hot"`   // index of the thumbnail of the difference
	Actual *pageRef `json:"actual"`
	Golden *pageRef `json:"golden"`
	Diff   *pageRef `json:"diff"` // only where there is no pair to compute it from
}

// pageRef is a picture: the number of its element in the page, or -1 and a path.
type pageRef struct {
	ID    int    `json:"id"`
	Path  string `json:"path,omitempty"`
	Error string `json:"error,omitempty"` // why it cannot be shown
}

// picture is a file that goes into the page.
type pagePicture struct {
	path string
	size int64
}

// EncodeHTML writes the page to w.
func EncodeHTML(w io.Writer, r *verdict.Run, o HTMLOptions) error {
	sorted := *r
	sorted.Results = append([]verdict.Result{}, r.Results...)
	sorted.Sort()
	// The worst first is the order of the page and of what gets embedded.
	slices.SortStableFunc(sorted.Results, func(a, b verdict.Result) int {
		if x, y := o.outcome(&a) == passed, o.outcome(&b) == passed; x != y {
			if y {
				return -1
			}
			return 1
		}
		return worstFirst(&a, &b)
	})
	d := pageData{Title: o.title(), Headline: headline(r, o.Policy), Exit: r.ExitCode(o.Policy), Noise: r.NoiseFloor(), Run: &sorted}
	for _, v := range verdict.All() {
		d.Verdicts = append(d.Verdicts, pageWord{v.String(), v.Title(), int(v.Class())})
	}
	for _, c := range picture.HeatColours() {
		d.Heat = append(d.Heat, fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B))
	}
	p := &pictures{o: &o, budget: o.Embed, byPath: map[string]pageRef{}, byDigest: map[[32]byte]int{}}
	if p.budget == 0 {
		p.budget = DefaultEmbed
	}
	thumbs := o.thumbnails(sorted.Results)
	var thumbText []string
	index := func(b []byte) int {
		if b == nil {
			return -1
		}
		thumbText = append(thumbText, base64.StdEncoding.EncodeToString(b))
		return len(thumbText) - 1
	}
	for i := range sorted.Results {
		x := &sorted.Results[i]
		s := pageScene{OK: o.outcome(x) == passed, Thumb: index(thumbs[i].picture), Hot: index(thumbs[i].difference)}
		s.Actual = p.ref(x.Files.Actual)
		if x.Identical && s.Actual != nil {
			s.Golden = s.Actual
		} else {
			s.Golden = p.ref(x.Files.Golden)
		}
		if s.Actual == nil || s.Golden == nil || s.Actual.ID < 0 || s.Golden.ID < 0 {
			s.Diff = p.ref(x.Files.Diff)
		}
		d.Scenes = append(d.Scenes, s)
	}

	t, err := template.New("page.html").Funcs(template.FuncMap{
		"css": func() (template.CSS, error) {
			b, err := pageFiles.ReadFile("page/page.css")
			return template.CSS(b), err
		},
		"js": func() (template.JS, error) {
			var all []byte
			for _, name := range []string{"pixels.js", "viewer.js", "page.js"} {
				b, err := pageFiles.ReadFile("page/" + name)
				if err != nil {
					return "", err
				}
				all = append(append(all, b...), '\n')
			}
			return template.JS(all), nil
		},
	}).ParseFS(pageFiles, "page/page.html")
	if err != nil {
		return err
	}
	if err := t.Execute(w, &d); err != nil {
		return err
	}
	// Base64 has no character that could end the element.
	if _, err := fmt.Fprintf(w, "<script type=\"text/plain\" id=\"thumbs\">%s</script>\n", strings.Join(thumbText, "\n")); err != nil {
		return err
	}
	for i, f := range p.files {
		if err := writePicture(w, i, f); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "</body>\n</html>\n")
	return err
}

func writePicture(w io.Writer, id int, f pagePicture) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := fmt.Fprintf(w, "<script type=\"text/plain\" id=\"p%d\">", id); err != nil {
		return err
	}
	e := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := io.Copy(e, io.LimitReader(in, f.size)); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>\n")
	return err
}

// pictures decides which go into the page.
type pictures struct {
	o        *HTMLOptions
	budget   int64
	files    []pagePicture
	byPath   map[string]pageRef
	byDigest map[[32]byte]int
}

func (o *Options) full(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.Root, path)
}

func (p *pictures) ref(path string) *pageRef {
	if path == "" {
		return nil
	}
	if r, ok := p.byPath[path]; ok {
		return &r
	}
	r := pageRef{ID: -1, Path: p.o.link(path)}
	full := p.o.full(path)
	st, err := os.Stat(full)
	switch {
	case err != nil || !st.Mode().IsRegular():
		r.Error = "the file is not there"
	case st.Size() <= p.budget:
		b, err := os.ReadFile(full)
		if err != nil {
			r.Error = "the file cannot be read"
			break
		}
		if _, err := png.DecodeInfo(b, png.Caps{}); err != nil {
			r.Error = "the file is no PNG"
			break
		}
		sum := sha256.Sum256(b)
		id, ok := p.byDigest[sum]
		if !ok {
			id = len(p.files)
			p.byDigest[sum] = id
			p.files = append(p.files, pagePicture{full, st.Size()})
			p.budget -= st.Size()
		}
		r.ID = id
	}
	p.byPath[path] = r
	return &r
}

// thumbnails are made on all cores; decoding is most of the work of a page.
func (o *Options) thumbnails(rs []verdict.Result) []thumbnail {
	out := make([]thumbnail, len(rs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range workers() {
		wg.Go(func() {
			for i := range jobs {
				out[i] = o.thumbnail(&rs[i])
			}
		})
	}
	for i := range rs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return out
}

func (o *Options) thumbnail(x *verdict.Result) thumbnail {
	var t thumbnail
	load := func(path string) *image.NRGBA {
		if path == "" {
			return nil
		}
		m, _, err := png.Read(o.full(path), png.Caps{})
		if err != nil {
			return nil
		}
		return eightBits(m)
	}
	actual := load(x.Files.Actual)
	if actual == nil {
		actual = load(x.Files.Golden)
		if actual != nil {
			t.picture = encodeThumb(shrink(actual))
		}
		return t
	}
	t.picture = encodeThumb(shrink(actual))
	if x.Verdict != verdict.Pass && !x.Identical {
		if golden := load(x.Files.Golden); golden != nil {
			t.difference = encodeHot(golden, actual)
		}
	}
	return t
}
