package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"darkroom/scenes/catalogue"
)

// completion is a script for the shell: commands, their flags and the scenes.
func completion(program, shell string, k *kong.Kong) string {
	var commands, flags, names []string
	for _, n := range k.Model.Children {
		commands = append(commands, n.Name)
		for _, f := range n.Flags {
			flags = append(flags, "--"+f.Name)
		}
	}
	flags = unique(flags)
	for _, e := range catalogue.All() {
		names = append(names, e.Name)
	}
	words := strings.Join(append(append([]string(nil), commands...), append(names, flags...)...), " ")
	switch shell {
	case "fish":
		return fmt.Sprintf("complete -c %s -f -a '%s'\n", program, words)
	case "zsh":
		return fmt.Sprintf("#compdef %[1]s\n_%[1]s() { compadd -- %[2]s }\ncompdef _%[1]s %[1]s\n", program, words)
	}
	return fmt.Sprintf("_%[1]s() { COMPREPLY=($(compgen -W '%[2]s' -- \"${COMP_WORDS[COMP_CWORD]}\")); }\ncomplete -o default -F _%[1]s %[1]s\n", program, words)
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
