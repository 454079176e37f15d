// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trainyard/trainyard/internal/golden"
	"github.com/trainyard/trainyard/render"
)

// TestEveryLeafHasASource demands of every golden case that each leaf says who
// set it and whom that overrode, and that asking for it changes nothing else.
func TestEveryLeafHasASource(t *testing.T) {
	golden.Cases(t, "../testdata/render", func(t *testing.T, folder string) {
		job, rt, opts := given(t, folder)
		plain := render.Render(job, rt, opts)
		opts.Explain = true
		explained := render.Render(job, rt, opts)
		if (len(explained.Sources) > 0) != (plain.JobSet != nil) {
			t.Errorf("%d leaves have a source; JobSet: %t", len(explained.Sources), plain.JobSet != nil)
		}
		for _, leaf := range explained.Sources {
			if leaf.Source.String() == "" || leaf.Path == "" {
				t.Errorf("nobody set %s %s", leaf.Object.Kind, leaf.Path)
			}
			for _, earlier := range leaf.Overridden {
				if earlier.Source.String() == "" {
					t.Errorf("nobody set %s before %s", leaf.Path, leaf.Source)
				}
			}
		}
		explained.Sources = nil
		if diff := cmp.Diff(encode(t, plain), encode(t, explained)); diff != "" {
			t.Errorf("the explained rendering is another:\n%s", diff)
		}
	})
}
