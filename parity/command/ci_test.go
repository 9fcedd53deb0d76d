package command

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"darkroom/parity/cli"
)

// job is the part of a Kubernetes Indexed Job (batch/v1, API reference of 1.34)
// that the manifest uses; an unknown or misplaced field is an error.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int    `yaml:"completions"`
		Parallelism          int    `yaml:"parallelism"`
		BackoffLimitPerIndex int    `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action          string `yaml:"action"`
				OnPodConditions []struct {
					Type string `yaml:"type"`
				} `yaml:"onPodConditions"`
				OnExitCodes *struct {
					Operator string `yaml:"operator"`
					Values   []int  `yaml:"values"`
				} `yaml:"onExitCodes"`
			} `yaml:"rules"`
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Name    string   `yaml:"name"`
					Image   string   `yaml:"image"`
					Command []string `yaml:"command"`
					Env     []struct {
						Name  string `yaml:"name"`
						Value string `yaml:"value"`
					} `yaml:"env"`
					Resources struct {
						Limits map[string]int `yaml:"limits"`
					} `yaml:"resources"`
					VolumeMounts []struct {
						Name      string `yaml:"name"`
						MountPath string `yaml:"mountPath"`
						ReadOnly  bool   `yaml:"readOnly"`
					} `yaml:"volumeMounts"`
				} `yaml:"containers"`
				Volumes []struct {
					Name                  string `yaml:"name"`
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				} `yaml:"volumes"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

// parses reports whether the command line takes the arguments.
func parses(args []string) error {
	var c commands
	p, err := kong.New(&c, kong.Name("parity"))
	if err == nil {
		_, err = p.Parse(args)
	}
	return err
}

// The manifest has only fields that an Indexed Job has, its parts agree with
// each other, and its command is one that this program takes.
func TestClusterJob(t *testing.T) {
	b, err := os.ReadFile("../../examples/cluster/parity-job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var j job
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(&j); err != nil {
		t.Fatal(err)
	}
	s, pod := &j.Spec, &j.Spec.Template.Spec
	if j.APIVersion != "batch/v1" || j.Kind != "Job" || s.CompletionMode != "Indexed" || pod.RestartPolicy != "Never" || len(pod.Containers) != 1 {
		t.Fatalf("%+v is no Indexed Job of one container whose pods fail for good", j)
	}
	c := &pod.Containers[0]
	if s.Completions < 1 || len(c.Env) != 1 || c.Env[0].Name != "DARKROOM_SHARD_COUNT" || c.Env[0].Value != strconv.Itoa(s.Completions) {
		t.Errorf("%d completions, but the pods are told %+v", s.Completions, c.Env)
	}
	if c.Resources.Limits["nvidia.com/gpu"] != 1 {
		t.Errorf("a pod has no GPU of its own: %v", c.Resources.Limits)
	}
	for _, r := range s.PodFailurePolicy.Rules {
		if r.OnExitCodes != nil && (r.Action != "FailIndex" || len(r.OnExitCodes.Values) != 2 || r.OnExitCodes.Values[0] != cli.Differs || r.OnExitCodes.Values[1] != cli.Failed) {
			t.Errorf("exit codes %+v: a verdict is not tried again", r.OnExitCodes)
		}
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("volume %s is mounted and not there", m.Name)
		}
	}
	if err := parses(c.Command[1:]); err != nil || c.Command[0] != "parity" {
		t.Errorf("command %q: %v", c.Command, err)
	}
}

// Every call of the program in the workflow, the Makefile and the documents is
// one that it takes.
func TestDocumentedCommandsParse(t *testing.T) {
	call := regexp.MustCompile(`(?m)(?:bin/parity|^\s*- run: bin/parity) ([a-z][^\n` + "`" + `#|]*)`)
	expand := strings.NewReplacer("${{ matrix.shard }}", "1", "$(SCENES)", "scene2-sphere", "\\", "")
	n := 0
	for _, file := range []string{".github/workflows/test.yml", "Makefile", "README.md", "CONTRIBUTING.md", "parity/HARNESSES.md"} {
		b, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(b), -1) {
			line := strings.TrimSpace(expand.Replace(m[1]))
			if i := strings.Index(line, `"…"`); i >= 0 {
				line = line[:i] + "text" + line[i+len(`"…"`):]
			}
			n++
			if err := parses(strings.Fields(line)); err != nil {
				t.Errorf("%s: parity %s: %v", file, line, err)
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d calls were found", n)
	}
}
