// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// words are plain words that some YAML reader does not take for strings.
var words = []string{
	"~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
	".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "-.inf", "-.Inf", "-.INF", "+.inf", "+.Inf", "+.INF",
	"=", "<<",
}

// indicators can't begin a plain string; a dash can, see flag.
const indicators = "?:,[]{}#&*!|>'\"%@`-"

// Scalar writes a string on one line: plain where every reader takes it for
// that string, else quoted.
func Scalar(s string) string {
	switch {
	case ordinary(s), plain(s):
		return s
	case strings.ContainsAny(s, `"\`) && printable(s, ""):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	default:
		return quote(s)
	}
}

// ordinary recognizes most of the plain strings at once: letters, digits and
// what stands in names and paths, from a letter or a slash on, and longer than
// each of the words.
func ordinary(s string) bool {
	if len(s) <= len("False") || !letter(s[0]) && s[0] != '/' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !letter(c) && !digit(c) && c != '-' && c != '.' && c != '/' && c != '_' {
			return false
		}
	}
	return true
}

func plain(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || !printable(s, "") {
		return false
	}
	if strings.IndexByte(indicators, s[0]) >= 0 && !flag(s) {
		return false
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	if strings.HasPrefix(s, "... ") { // the end of a document, where it begins a line
		return false
	}
	return !likeNumber(s) && !slices.Contains(words, s) && !slices.Contains(oldBooleans, s)
}

// flag reports whether a string is like -c or --config: dashes and a letter.
func flag(s string) bool {
	name := strings.TrimLeft(s, "-")
	return name != s && name != "" && letter(name[0])
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// likeNumber reports whether some reader could take a string for a number, a
// date or a time: YAML 1.1 has octal, binary and sexagesimal numbers too, and
// underscores anywhere in them.
func likeNumber(s string) bool {
	body := strings.TrimLeft(s, "+-._")
	if body == "" || !digit(body[0]) {
		return false
	}
	if hex, found := strings.CutPrefix(strings.ToLower(body), "0x"); found {
		return strings.Trim(hex, "0123456789abcdef_") == ""
	}
	return strings.Trim(body, "0123456789bBoOeEtTzZ_.:+- ") == ""
}

// printable reports whether a string can stand in YAML without an escape. The
// characters in also are allowed besides.
func printable(s, also string) bool {
	for i, r := range s {
		switch {
		case ' ' <= r && r <= '~', r >= 0xA0 && r != 0x2028 && r != 0x2029 && r != 0xFEFF && r < 0xFFFD, r >= 0x10000:
		case r == utf8.RuneError && strings.HasPrefix(s[i:], "\uFFFD"):
		case strings.ContainsRune(also, r):
		default:
			return false
		}
	}
	return true
}

// quote writes a string in double quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case printable(string(r), ""):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
