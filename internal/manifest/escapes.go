// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// foreign are characters that JSON lets stand in a string, and YAML takes for
// the end of a line or for nothing.
var foreign = map[string]string{"\x7f": `\u007f`, "\u0085": `\u0085`, "\u2028": `\u2028`, "\u2029": `\u2029`}

// hasForeign reports whether YAML would misread a text that is JSON.
func hasForeign(text []byte) bool {
	for character := range foreign {
		if bytes.Contains(text, []byte(character)) {
			return isJSON(text)
		}
	}
	return false
}

func isJSON(text []byte) bool {
	start := bytes.TrimSpace(text)
	return len(start) > 0 && start[0] == '{' && json.Valid(text)
}

// asYAML is a JSON text as YAML reads it: JSON escapes a slash, and writes a
// character beyond 16 bits as a pair of surrogates. Of another text it is nil.
func asYAML(text []byte) []byte {
	if !isJSON(text) {
		return nil
	}
	yaml := make([]byte, 0, len(text))
	for len(text) > 0 {
		written, length := yamlEscape(text)
		yaml = append(yaml, written...)
		text = text[length:]
	}
	return yaml
}

// yamlEscape is the first character or escape of a JSON text as YAML writes it,
// and its length in the JSON text.
func yamlEscape(text []byte) (written []byte, length int) {
	const escape, pair = len(`\u0000`), len(`\u0000\u0000`)
	switch {
	case text[0] >= 0x7f:
		_, length := utf8.DecodeRune(text)
		return []byte(cmp.Or(foreign[string(text[:length])], string(text[:length]))), length
	case text[0] != '\\':
		return text[:1], 1
	case text[1] == '/':
		return text[1:2], 2
	case text[1] != 'u':
		return text[:2], 2
	}
	first := codeUnit(text)
	if !utf16.IsSurrogate(first) {
		return text[:escape], escape
	}
	if len(text) >= pair {
		if r := utf16.DecodeRune(first, codeUnit(text[escape:])); r != '\uFFFD' {
			return fmt.Appendf(nil, `\U%08X`, r), pair
		}
	}
	return []byte(`\uFFFD`), escape // as JSON reads half a pair
}

// codeUnit is the number of an escape \u0000 that a text begins with, or 0.
func codeUnit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}
