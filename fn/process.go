// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// Process is the function for those who embed it by the function SDK. It is an
// sdk.ResourceListProcessorFunc. The program itself calls Run, which does not
// decode what it does not render.
func Process(rl *sdk.ResourceList) (bool, error) {
	items, objects := itemsOf(rl.Items)
	var functionConfig *resourcelist.Item
	if !rl.FunctionConfig.IsEmpty() {
		functionConfig = itemOf(rl.FunctionConfig)
	}
	config, generator, findings := ReadConfig(functionConfig)
	if finding.Blocking(findings) {
		rl.Results = Output{Findings: findings, Summary: "nothing rendered: the functionConfig is wrong"}.results()
		return false, nil
	}
	out := Transform(Input{Items: items, Generator: generator, Config: config, Findings: findings})
	rl.Results = out.results()
	if finding.Blocking(out.Findings) {
		return false, nil
	}
	rl.Items = nil
	for _, item := range out.Items {
		object, untouched := objects[item]
		if !untouched {
			parsed, err := sdk.ParseKubeObject(item.Text())
			if err != nil {
				return false, fmt.Errorf("read rendered %s %s: %w", item.Ref.Kind, item.Ref.Name, err)
			}
			object = parsed
		}
		rl.Items = append(rl.Items, object)
	}
	return true, nil
}

// itemsOf turns the SDK's objects into items, and remembers which is whose.
func itemsOf(objects sdk.KubeObjects) ([]*resourcelist.Item, map[*resourcelist.Item]*sdk.KubeObject) {
	items := make([]*resourcelist.Item, 0, len(objects))
	whose := make(map[*resourcelist.Item]*sdk.KubeObject, len(objects))
	for _, object := range objects {
		item := itemOf(object)
		items, whose[item] = append(items, item), object
	}
	return items, whose
}

func itemOf(object *sdk.KubeObject) *resourcelist.Item {
	text := []byte(object.String())
	if item, err := resourcelist.Object(text); err == nil && item != nil {
		return item
	}
	return resourcelist.New(finding.Ref{
		APIVersion: object.GetAPIVersion(), Kind: object.GetKind(),
		Namespace: object.GetNamespace(), Name: object.GetName(),
	}, text)
}
