// Package minimise cuts a scene down to what a difference between two sides
// needs: nodes, lights, passes, textures and features of materials are dropped
// while the difference stays, by delta debugging. What is left is written as Go
// source and as JSON.
package minimise

import "context"

// ddmin returns a smallest subset of list for which fails holds, in the sense
// that no single element can be dropped: Zeller and Hildebrandt, "Simplifying
// and Isolating Failure-Inducing Input", 2002. fails(list) must hold.
func ddmin(ctx context.Context, list []int, fails func(context.Context, []int) (bool, error)) ([]int, error) {
	// The whole may not be needed at all.
	if ok, err := fails(ctx, nil); err != nil || ok {
		return nil, err
	}
	for n := 2; len(list) >= 2; {
		parts := split(list, n)
		reduced := false
		for _, p := range parts {
			ok, err := fails(ctx, p)
			if err != nil {
				return nil, err
			}
			if ok {
				list, n, reduced = p, 2, true
				break
			}
		}
		if !reduced && n > 2 {
			for i := range parts {
				rest := without(parts, i)
				ok, err := fails(ctx, rest)
				if err != nil {
					return nil, err
				}
				if ok {
					list, n, reduced = rest, max(n-1, 2), true
					break
				}
			}
		}
		if !reduced {
			if n >= len(list) {
				break
			}
			n = min(2*n, len(list))
		}
	}
	return list, nil
}

func split(list []int, n int) [][]int {
	var out [][]int
	for i := range n {
		a, b := i*len(list)/n, (i+1)*len(list)/n
		if a < b {
			out = append(out, list[a:b:b])
		}
	}
	return out
}

func without(parts [][]int, skip int) []int {
	var out []int
	for i, p := range parts {
		if i != skip {
			out = append(out, p...)
		}
	}
	return out
}
