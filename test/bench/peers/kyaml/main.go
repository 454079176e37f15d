// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command kyaml is kyaml's identity function: it reads a ResourceList and
// writes it back.
package main

import (
	"os"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

func main() {
	identity := framework.ResourceListProcessorFunc(func(*framework.ResourceList) error { return nil })
	if err := framework.Execute(identity, &kio.ByteReadWriter{Reader: os.Stdin, Writer: os.Stdout}); err != nil {
		os.Exit(1)
	}
}
