// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package fn

import (
	"github.com/trainyard/trainyard/internal/marks"
	"github.com/trainyard/trainyard/internal/resourcelist"
	"github.com/trainyard/trainyard/render/finding"
)

// placement puts what was rendered into the list.
type placement struct {
	p        *Package
	present  map[id]*resourcelist.Item                   // rendered or of a rendered kind
	replaced map[*resourcelist.Item]*resourcelist.Item   // what comes into the place of an earlier rendering
	behind   map[*resourcelist.Item][]*resourcelist.Item // new items, behind their TrainJob
	indexes  map[string]int                              // the next index in a file of rendered objects
}

// place returns the items with each job's objects in the place of its earlier
// rendering, or behind its TrainJob.
func (p *Package) place(outcomes []outcome) []*resourcelist.Item {
	l := &placement{
		p: p, present: p.presentObjects(outcomes), indexes: map[string]int{},
		replaced: map[*resourcelist.Item]*resourcelist.Item{}, behind: map[*resourcelist.Item][]*resourcelist.Item{},
	}
	l.countIndexes()
	hosts := make([][]map[string]string, len(outcomes))
	for i := range outcomes {
		hosts[i] = l.assign(&outcomes[i])
	}
	parallel(len(outcomes), func(i int) { outcomes[i].writeItems(hosts[i]) })
	for _, o := range outcomes {
		l.put(o)
	}
	return l.items(outcomes)
}

// presentObjects indexes the items whose identity a rendered object takes.
func (p *Package) presentObjects(outcomes []outcome) map[id]*resourcelist.Item {
	wanted := map[id]bool{}
	for _, o := range outcomes {
		for _, ref := range o.refs() {
			wanted[idOf(ref)] = true
		}
	}
	present := map[id]*resourcelist.Item{}
	for _, item := range p.items {
		if key := idOf(item.Ref); wanted[key] {
			present[key] = item
		}
	}
	return present
}

// refs names the objects that the job puts into the list.
func (o *outcome) refs() []finding.Ref {
	var refs []finding.Ref
	if o.run.frozen {
		for _, item := range o.run.objects {
			refs = append(refs, item.Ref)
		}
		return refs
	}
	for _, e := range o.encoded {
		refs = append(refs, e.ref)
	}
	return refs
}

// writeItems writes the job's objects as items; those of a frozen run are there.
func (o *outcome) writeItems(hosts []map[string]string) {
	if o.run.frozen {
		o.result = o.run.objects
		return
	}
	for i, e := range o.encoded {
		o.result = append(o.result, e.item(hosts[i]))
	}
	o.encoded = nil
}

// put brings a job's items to their places.
func (l *placement) put(o outcome) {
	for _, item := range o.result {
		switch present := l.present[idOf(item.Ref)]; {
		case o.run.frozen && !o.run.previous:
			l.replaced[item] = item
		case present != nil:
			l.replaced[present] = item
		default:
			l.behind[o.source] = append(l.behind[o.source], item)
		}
	}
}

// items walks over the list: earlier renderings are replaced or pruned, sources
// kept or dropped, everything else stays.
func (l *placement) items(outcomes []outcome) []*resourcelist.Item {
	sources := l.p.sources(outcomes)
	inList := map[*resourcelist.Item]bool{}
	var items []*resourcelist.Item
	for _, item := range l.p.items {
		inList[item] = true
		if now := l.replaced[item]; now != nil {
			items = append(items, now)
		} else if isSource(item) {
			items = append(items, sources[item]...)
		} else if !l.p.prune(item) {
			items = append(items, item)
		}
		items = append(items, l.behind[item]...)
	}
	for _, o := range outcomes {
		if !inList[o.source] {
			items = append(items, l.behind[o.source]...)
		}
	}
	return items
}

// prune reports whether an item is a rendering that is no longer wanted: its
// TrainJob is in the list and does not give it any more, or is gone from files
// in which sources are kept. Elsewhere an earlier run dropped the TrainJob.
func (p *Package) prune(item *resourcelist.Item) bool {
	name := item.Label(marks.TrainJob)
	if name == "" {
		return false
	}
	file, _ := annotatedPath(item)
	if file != "" && p.keeps(item) || p.owners[owner{item.Ref.Namespace, name}] {
		return true
	}
	p.findings = append(p.findings, locate(item, finding.Warningf(finding.Orphan, "metadata.labels["+marks.TrainJob+"]",
		"it was rendered for the TrainJob %s, which is not in the list; it is left as it is", name))...)
	return false
}
