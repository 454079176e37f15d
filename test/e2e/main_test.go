// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// cluster is the control plane of all tests.
var cluster *plane.Plane

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // the API server's warnings
	flag.Parse()
	waitTogether()
	os.Exit(allTests(m))
}

// waitTogether lets more tests run at once than there are processors, unless
// the caller says how many: they wait for the cluster most of the time.
func waitTogether() {
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		_ = flag.Set("test.parallel", "6") // the flag is there and takes numbers
	}
}

// allTests keeps the logs if a test failed.
func allTests(m *testing.M) (code int) {
	started, err := plane.Start(context.Background(), "tools")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cluster = started
	code = m.Run()
	end := cluster.Stop
	if code != 0 {
		fmt.Fprintln(os.Stderr, "the control plane's logs are in", cluster.Dir)
		end = cluster.End
	}
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
