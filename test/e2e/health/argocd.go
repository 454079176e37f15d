// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// Health is what a check says of an object.
type Health struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// libraries are what Argo CD opens for a check; string and os are not there.
var libraries = []lua.LGFunction{lua.OpenPackage, lua.OpenBase, lua.OpenTable}

// ArgoCD runs a Lua check over an object.
func ArgoCD(script string, object map[string]any) (Health, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, open := range libraries {
		state.Push(state.NewFunction(open))
		state.Call(0, 0)
	}
	state.SetGlobal("obj", value(state, object))
	if err := state.DoString(script); err != nil {
		return Health{}, fmt.Errorf("run the check: %w", err)
	}
	result, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return Health{}, fmt.Errorf("the check returned %s, no table", state.Get(-1).Type())
	}
	return Health{lua.LVAsString(result.RawGetString("status")), lua.LVAsString(result.RawGetString("message"))}, nil
}

// value turns decoded JSON into Lua's.
func value(state *lua.LState, from any) lua.LValue {
	switch v := from.(type) {
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case int64:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	case []any:
		list := state.NewTable()
		for _, item := range v {
			list.Append(value(state, item))
		}
		return list
	case map[string]any:
		table := state.NewTable()
		for key, item := range v {
			table.RawSetString(key, value(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}
