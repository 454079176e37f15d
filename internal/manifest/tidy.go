// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

// noise are the keys under which API types write an empty value that no one
// set: they are structs, not pointers.
var noise = map[string]bool{
	"creationTimestamp": true, "metadata": true, "resources": true, "status": true,
}

// tidy drops nulls, empty noise and the status, which is the server's, and puts
// apiVersion and kind first. Other empty values mean something (emptyDir: {})
// and stay.
func tidy(v value) value {
	v = prune(v)
	first := value{kind: object}
	rest := value{kind: object}
	for _, name := range []string{"apiVersion", "kind"} {
		for i, key := range v.keys {
			if key == name {
				first.keys, first.items = append(first.keys, key), append(first.items, v.items[i])
			}
		}
	}
	for i, key := range v.keys {
		if key != "apiVersion" && key != "kind" && key != "status" {
			rest.keys, rest.items = append(rest.keys, key), append(rest.items, v.items[i])
		}
	}
	if v.kind != object {
		return v
	}
	return value{kind: object, keys: append(first.keys, rest.keys...), items: append(first.items, rest.items...)}
}

// prune works in place.
func prune(v value) value {
	kept := 0
	for i, item := range v.items {
		item = prune(item)
		if v.kind == object && (item.null() || noise[v.keys[i]] && item.empty()) {
			continue
		}
		if v.kind == object {
			v.keys[kept] = v.keys[i]
		}
		v.items[kept] = item
		kept++
	}
	v.items = v.items[:kept]
	if v.kind == object {
		v.keys = v.keys[:kept]
	}
	return v
}

func (v value) null() bool  { return v.kind == literal && v.text == "null" }
func (v value) empty() bool { return v.kind == object && len(v.items) == 0 }
