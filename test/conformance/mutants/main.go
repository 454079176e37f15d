// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Command mutants proves that the tests would notice: it puts one fault after
// another into a copy of the renderer and wants the golden cases or the
// comparison with the Trainer to fail for each.
//
//	go run ./mutants
//	go run ./mutants XGBoost     only the faults whose names hold the word
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	survived, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	if survived > 0 {
		fmt.Fprintf(os.Stderr, "mutants: %d faults are not noticed\n", survived)
		os.Exit(1)
	}
	fmt.Println("every fault is noticed")
}

func run() (survived int, err error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := copyTree(dir); err != nil {
		return 0, err
	}
	if witness := noticed(dir); witness != "" {
		return 0, fmt.Errorf("without a fault %s fails already", witness)
	}
	for _, f := range faults {
		if len(os.Args) > 1 && !strings.Contains(f.name, os.Args[1]) {
			continue
		}
		witness, err := f.try(dir)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f.name, err)
		}
		if witness == "" {
			survived++
			witness = "NOBODY"
		}
		fmt.Printf("%-60s noticed by %s\n", f.name, witness)
	}
	return survived, nil
}

// copyTree copies the files that git knows, as they are now.
func copyTree(to string) error {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	from := strings.TrimSpace(string(root))
	listed, err := exec.Command("git", "-C", from, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("list the repository: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			return err
		}
		if err := write(filepath.Join(to, name), text); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// try puts the fault in, looks who notices, and takes it out again.
func (f fault) try(dir string) (witness string, err error) {
	path := filepath.Join(dir, f.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	faulty, err := f.in(string(text))
	if err != nil {
		return "", err
	}
	if err := write(path, []byte(faulty)); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, write(path, text)) }()
	if out, err := command(dir, "go", "build", "./render/...").CombinedOutput(); err != nil {
		return "", fmt.Errorf("does not compile: %s", out)
	}
	return noticed(dir), nil
}

// in puts the fault into the text of its file.
func (f fault) in(text string) (string, error) {
	if n := strings.Count(text, f.right); n != 1 {
		return "", fmt.Errorf("%s holds %q %d times, not once: write the fault anew", f.file, f.right, n)
	}
	return strings.Replace(text, f.right, f.wrong, 1), nil
}

// witnesses are the tests that must notice, the quickest first.
var witnesses = []struct {
	name, folder string
	args         []string
}{
	{"the golden cases", ".", []string{"test", "./render", "-run", "TestRender", "-count=1"}},
	{"the comparison with the Trainer", "test/conformance", []string{"test", ".", "-run", "TestGenerated", "-count=1", "-cases=1500", "-most=0"}},
}

func noticed(dir string) string {
	for _, w := range witnesses {
		if command(filepath.Join(dir, w.folder), "go", w.args...).Run() != nil {
			return w.name
		}
	}
	return ""
}

func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	return c
}
