package composer

import "strings"

// sameTypeText compares two types, whatever their spelling. It needs no
// declarations, so it can compare what names structs and constants.
func sameTypeText(a, b string) bool {
	return a == b || canonical(a) == canonical(b)
}

// canonical spells a type without white space, without commas at the end of a
// list, without suffixes of counts and with vec3f and its kin written out.
func canonical(text string) string {
	b := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			switch c := text[i]; c {
			case ' ', '\t', '\r', '\n':
			case '>':
				if n := len(b); n > 0 && b[n-1] == ',' {
					b = b[:n-1]
				}
				b = append(b, c)
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		start := i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
		word := text[start:i]
		if _, _, suffix, ok := shape(word); ok && suffix != "" {
			word = word[:len(word)-1] + "<" + suffix + "32>"
		} else if word[0] >= '0' && word[0] <= '9' {
			word = strings.TrimRight(word, "iu")
		}
		b = append(b, word...)
	}
	return string(b)
}
