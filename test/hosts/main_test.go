// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package hosts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/trainyard/trainyard/test/hosts/lab"
)

// root is the folder of the repository.
var root string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if root, err = filepath.Abs("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	open, err := lab.Open(context.Background(), root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "open the lab:", err)
		return 1
	}
	defer open.Close()
	return m.Run()
}
