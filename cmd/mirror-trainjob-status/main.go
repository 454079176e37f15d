// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command mirror-trainjob-status copies the status of rendered JobSets onto
// their TrainJobs. docs/mirror.md describes it.
package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/trainyard/trainyard/mirror"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mirror-trainjob-status:", err)
		os.Exit(1)
	}
}

func run() error {
	var options mirror.Options
	options.AddFlags(flag.CommandLine)
	flag.Parse()
	log := logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, nil))
	ctrl.SetLogger(log)
	klog.SetLogger(log)

	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	manager, err := mirror.NewManager(config, options)
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
