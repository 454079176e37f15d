// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed config
var configs embed.FS

// fill writes a program's configuration with its values and returns the file.
func (p *Plane) fill(name string, values any) (string, error) {
	text, err := template.ParseFS(configs, "config/"+name+".yaml")
	if err != nil {
		return "", fmt.Errorf("configure %s: %w", name, err)
	}
	file := filepath.Join(p.Dir, name+".yaml")
	out, err := os.Create(file)
	if err != nil {
		return "", err
	}
	err = text.Option("missingkey=error").Execute(out, values)
	return file, errors.Join(err, out.Close())
}
