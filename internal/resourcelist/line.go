// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package resourcelist

import (
	"bytes"
	"strings"
)

// The grammar of one line of regular block YAML: indentation, dashes, then a
// key, a key and a scalar, or a scalar. What is not of this form is left to
// the whole reader.

// content is what stands on a line behind its dashes.
type content struct {
	key   []byte // nil: no key
	value []byte // the scalar, as written; nil: none
	block bool   // the value is the header of a block scalar
	child bool   // the value stands on the lines below
}

// parseContent reads what stands behind indentation and dashes.
func parseContent(body []byte) (content, bool) {
	key, rest, found := cutKey(body)
	if !found {
		value, block, ok := parseScalar(body)
		return content{value: value, block: block}, ok && len(value) > 0
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) == 0 || rest[0] == '#' {
		return content{key: key, child: true}, true
	}
	value, block, ok := parseScalar(rest)
	return content{key: key, value: value, block: block}, ok
}

// cutKey splits "key: value". A key is plain, on one line, without quotes, and
// its colon follows at once.
func cutKey(body []byte) (key, rest []byte, found bool) {
	if len(body) == 0 || strings.IndexByte("?:,[]{}#&*!|>'\"%@`-", body[0]) >= 0 {
		return nil, nil, false
	}
	for i, c := range body[:min(len(body), 1000)] {
		switch {
		case c == ':' && (i+1 == len(body) || body[i+1] == ' '):
			return body[:i], body[i+1:], body[i-1] != ' '
		case c == '#' && body[i-1] == ' ':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// parseScalar reads a scalar that must end on its line, or the header of a
// block scalar.
func parseScalar(s []byte) (value []byte, block, ok bool) {
	switch s[0] {
	case '"', '\'':
		end := quotedEnd(s)
		return s[:max(end, 0)], false, end > 0 && onlyComment(s[end:])
	case '[', '{':
		end := flowEnd(s)
		return s[:max(end, 0)], false, end > 0 && onlyComment(s[end:])
	case '|', '>':
		header := bytes.TrimRight(cutComment(s), " ")
		return header, true, blockHeader(header)
	case '&', '*', '!', '%', '@', '`', '?', ',', ']', '}', ':', '#':
		return nil, false, false
	}
	value = bytes.TrimRight(cutComment(s), " ")
	plain := !bytes.Contains(value, []byte(": ")) && value[len(value)-1] != ':' && !bytes.HasPrefix(value, []byte("- ")) && !bytes.Equal(value, []byte("-"))
	return value, false, plain
}

// quotedEnd returns the offset behind the closing quote, or -1 if the string
// goes on below.
func quotedEnd(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}

// flowEnd returns the offset behind a list or mapping in flow style, or -1 if
// it goes on below or holds anchors or tags.
func flowEnd(s []byte) int {
	var open []byte
	token := true // a value may begin here
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[' || c == '{':
			open = append(open, c+2) // the bracket that closes it
		case c == ']' || c == '}':
			if c != open[len(open)-1] {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		case c == '"' || c == '\'':
			end := quotedEnd(s[i:])
			if !token || end < 0 {
				return -1
			}
			i += end - 1
		case c == '#' || token && strings.IndexByte("&*!|>%@`?", c) >= 0:
			return -1
		}
		token = strings.IndexByte("[{,: ", s[i]) >= 0
	}
	return -1
}

// blockHeader reports whether s is |, > and at most one indentation digit and
// one chomping mark.
func blockHeader(s []byte) bool {
	rest := s[1:]
	if len(rest) > 0 && '1' <= rest[0] && rest[0] <= '9' {
		rest = rest[1:]
	}
	return len(rest) == 0 || len(rest) == 1 && (rest[0] == '-' || rest[0] == '+')
}

// cutComment drops a comment that ends the line.
func cutComment(s []byte) []byte {
	before, _, _ := bytes.Cut(s, []byte(" #"))
	return before
}

func onlyComment(s []byte) bool {
	rest := bytes.TrimLeft(s, " ")
	return len(rest) == 0 || rest[0] == '#' && len(rest) < len(s)
}
