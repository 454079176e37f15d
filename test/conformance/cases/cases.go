// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package cases reads and writes what is compared: one TrainJob and the
// objects that stand beside it.
package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/trainyard/trainyard/test/conformance/upstream"
)

// Case is one TrainJob with the objects that stand beside it, as written.
type Case struct {
	Name     string
	TrainJob map[string]any
	Others   []map[string]any // runtimes, and what the cluster holds already
}

// Clone returns a case that shares nothing with c.
func (c Case) Clone() Case {
	copied := Case{Name: c.Name, TrainJob: runtime.DeepCopyJSON(c.TrainJob)}
	for _, object := range c.Others {
		copied.Others = append(copied.Others, runtime.DeepCopyJSON(object))
	}
	return copied
}

// ReadFile reads a file that holds TrainJobs and what stands beside them: a
// case for each TrainJob.
func ReadFile(file string) ([]Case, error) {
	objects, err := upstream.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".yaml")
	var found []Case
	var others []map[string]any
	for _, object := range objects {
		if object["kind"] == "TrainJob" {
			found = append(found, Case{Name: name, TrainJob: object})
		} else {
			others = append(others, object)
		}
	}
	for i := range found {
		found[i].Others = others
	}
	return found, nil
}

// ReadFiles reads all the case files of a folder.
func ReadFiles(folder string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var found []Case
	for _, file := range files {
		more, err := ReadFile(file)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// ReadGolden reads the golden cases of a folder: a folder each, with
// trainjob.yaml and, unless the runtime is a built-in one, runtime.yaml.
func ReadGolden(folder string) ([]Case, error) {
	trainJobs, err := filepath.Glob(filepath.Join(folder, "*", "trainjob.yaml"))
	if err != nil {
		return nil, err
	}
	var found []Case
	for _, file := range trainJobs {
		read, err := ReadFile(file)
		if err != nil {
			return nil, err
		}
		if len(read) != 1 {
			return nil, fmt.Errorf("read %s: %d TrainJobs, not one", file, len(read))
		}
		c := read[0]
		c.Name = filepath.Base(filepath.Dir(file))
		runtimes, err := upstream.ReadFile(filepath.Join(filepath.Dir(file), "runtime.yaml"))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		c.Others = append(c.Others, runtimes...)
		found = append(found, c)
	}
	return found, nil
}

// String is the case as the files of a golden folder, one after the other.
func (c Case) String() string {
	var text strings.Builder
	write := func(file string, objects ...map[string]any) {
		fmt.Fprintf(&text, "# %s\n", file)
		for i, object := range objects {
			if i > 0 {
				text.WriteString("---\n")
			}
			document, err := yaml.Marshal(object)
			if err != nil {
				document = []byte("# " + err.Error() + "\n")
			}
			text.Write(document)
		}
	}
	write("trainjob.yaml", c.TrainJob)
	if len(c.Others) > 0 {
		write("runtime.yaml", c.Others...)
	}
	return text.String()
}
