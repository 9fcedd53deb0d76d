package goldens

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Reference is the key of goldens that another engine drew.
const Reference = "babylonjs"

// Adapter says what drew a picture. It has the fields of the run document's adapter.
type Adapter struct {
	Name    string `json:"name"`
	Backend string `json:"backend"`
	Driver  string `json:"driver"`
	Type    string `json:"type"`
}

// maxName keeps SCENE and KEY, with a temporary name's extras, far below the 255 bytes that file systems allow and the 260 characters of a whole
// path on Windows.
const maxName = 80

// Exact is the key for this adapter with this driver.
func (a Adapter) Exact() string {
	name := a.Name
	if name == "" {
		name = "unnamed"
	}
	parts := []string{name}
	if a.Backend != "" && !strings.EqualFold(a.Backend, "vulkan") {
		parts = append(parts, a.Backend)
	}
	if a.Driver != "" {
		parts = append(parts, a.Driver)
	}
	for i := range parts {
		parts[i] = slug(parts[i])
	}
	return shorten(strings.Join(parts, "+"))
}

// classes are found by words in the adapter's or the driver's name. The software ones come first: "llvmpipe" may name an Intel CPU.
var classes = []struct {
	class string
	words []string
}{
	{"llvmpipe", []string{"llvmpipe", "lavapipe"}},
	{"swiftshader", []string{"swiftshader"}},
	{"warp", []string{"microsoft basic render", "warp"}},
	{"nvidia", []string{"nvidia", "geforce", "quadro", "tesla", "nvk"}},
	{"amd", []string{"amd", "radeon", "radv"}},
	{"intel", []string{"intel"}},
	{"apple", []string{"apple"}},
	{"qualcomm", []string{"adreno", "qualcomm"}},
	{"arm", []string{"mali", "panfrost", "panvk"}},
}

// Class is the key for all adapters of this one's kind, such as "nvidia" or "llvmpipe".
func (a Adapter) Class() string {
	text := strings.ToLower(a.Name + " " + a.Driver)
	for _, c := range classes {
		if slices.ContainsFunc(c.words, func(w string) bool { return hasWord(text, w) }) {
			return c.class
		}
	}
	if a.Type == "cpu" || strings.EqualFold(a.Type, "software") {
		return "software"
	}
	return "other"
}

// hasWord finds w in text where no letter stands before or after it: "arm" is not in "warm", "amd" not in "amdahl".
func hasWord(text, w string) bool {
	letter := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= 'a' && text[i] <= 'z' }
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		i += from
		if !letter(i-1) && !letter(i+len(w)) {
			return true
		}
		from = i + 1
	}
}

// slug turns a name into lower-case letters, digits, dots and hyphens.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	out := strings.Trim(b.String(), ".-")
	if out == "" {
		return "x"
	}
	return out
}

// shorten cuts a name that is too long and puts a hash of the whole at its end.
func shorten(s string) string {
	if len(s) <= maxName {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return s[:maxName-9] + "-" + hex.EncodeToString(sum[:4])
}

// reserved are names that Windows keeps for devices.
var reserved = []string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// CheckName says why a scene's name or a key cannot be the name of a file. Names are letters, digits, and . _ + - inside, at most 80 bytes: none
// can leave the store's folder, and every one is a file name on every system.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("goldens: the name is empty")
	case len(name) > maxName:
		return fmt.Errorf("goldens: name %q is longer than %d bytes", name, maxName)
	case name[0] == '.' || name[0] == '-' || name[len(name)-1] == '.':
		return fmt.Errorf("goldens: name %q begins with a dot or hyphen, or ends in a dot", name)
	}
	for _, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._+-", c) >= 0 {
			continue
		}
		return fmt.Errorf("goldens: name %q has %q in it; use letters, digits and . _ + -", name, c)
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if slices.Contains(reserved, stem) {
		return fmt.Errorf("goldens: name %q is reserved on Windows", name)
	}
	return nil
}

// CheckNames checks the names of a catalogue, and that no two are one file where case does not count.
func CheckNames(names []string) error {
	seen := map[string]string{}
	for _, n := range names {
		if err := CheckName(n); err != nil {
			return err
		}
		low := strings.ToLower(n)
		if other, ok := seen[low]; ok {
			return fmt.Errorf("goldens: scenes %q and %q are one file where case does not count", other, n)
		}
		seen[low] = n
	}
	return nil
}
