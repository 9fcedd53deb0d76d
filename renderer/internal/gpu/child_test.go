package gpu

import (
	"os"
	"os/exec"
)

// childRole names the environment variable that makes the test binary act out
// something in a process of its own: what limits or ends a process, or what a
// fresh one must show.
const childRole = "DARKROOM_GPU_CHILD"

// runChild runs the role in a child, with ulimit set by a shell, and returns what it printed.
func runChild(role, limit string, env ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	script := `exec "$0" -test.run '^TestGPU$' -test.count=1`
	if limit != "" {
		script = limit + " && " + script
	}
	c := exec.Command("sh", "-c", script, self)
	c.Env = append(append(os.Environ(), childRole+"="+role), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// child acts out a role.
func child(role string) {}
