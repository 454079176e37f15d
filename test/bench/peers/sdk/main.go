// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command sdk is the function SDK's identity function: it reads a ResourceList
// and writes it back.
package main

import (
	"os"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

func main() {
	identity := sdk.ResourceListProcessorFunc(func(*sdk.ResourceList) (bool, error) { return true, nil })
	if err := sdk.AsMain(identity); err != nil {
		os.Exit(1)
	}
}
