// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"fmt"
	"strings"
)

// Names that the Trainer knows, and others.
const (
	node     = "node"
	launcher = "launcher"
	dataset  = "dataset-initializer"
	model    = "model-initializer"
	ancestor = "trainer.kubeflow.org/trainjob-ancestor-step"
)

func (d dice) trainJobName() string {
	return pick(d, "job", "my-run", "t5-small-2024", "a", "bert", "x"+strings.Repeat("y", d.IntN(30)), "run1")
}

func (d dice) image() any {
	return pick(d, "example.com/train:1", "example.com/train@sha256:"+strings.Repeat("ab", 32), "busybox", "registry:5000/a/b:v2")
}

// text is any string that a value may hold.
func (d dice) text() string {
	return pick(d, "a", "", "1", "true", "hello world", "größe-✓", "$(A)", "$(B)/x", "$$(A)", "${HOME}", "a\nb", "--lr=1e-3", " x ", strings.Repeat("long", 60))
}

func (d dice) words() any {
	words := list{}
	for range d.IntN(4) {
		words = append(words, pick(d, "python", "train.py", "-m", d.text(), "--nodes=$(PET_NNODES)", "bash", "-c"))
	}
	return words
}

// keyword is a label's or annotation's name.
func (d dice) keyword() string {
	return pick(d, "team", "app", "example.com/owner", "l", "k")
}

func (d dice) stringMap() object {
	m := object{}
	for range 1 + d.IntN(2) {
		m[d.keyword()] = pick(d, "a", "b", "1", "")
	}
	return m
}

func (d dice) labels() any { return d.stringMap() }

func (d dice) annotations() any {
	m := d.stringMap()
	if d.percent(20) {
		m[pick(d, "scheduling.volcano.sh/queue-name", "note")] = pick(d, "gold", "silver", "x y")
	}
	return m
}

// The quantities in all their spellings.
func (d dice) cpu() any {
	return pick[any](d, "1", int64(1), "500m", "0.5", "2", int64(4), "1500m", "1e0", "0", int64(8), "2.5", "+2", "16000m")
}

func (d dice) memory() any {
	return pick[any](d, "1Gi", "1024Mi", "512M", "1e9", "128974848", int64(1073741824), "64Ki", "1.5Gi", "10E3", "2G")
}

func (d dice) gpus() any { return pick[any](d, int64(1), "1", "2", int64(4), "8", "0", "1k", "3.0") }

// resources of a container. What is asked of a GPU has to be its limit too.
func (d dice) resources() any {
	limits, requests := object{}, object{}
	d.maybe(50, limits, "cpu", d.cpu)
	if limits["cpu"] == nil {
		d.maybe(40, requests, "cpu", d.cpu)
	} else if d.percent(20) {
		requests["cpu"] = limits["cpu"]
	}
	d.maybe(30, limits, "memory", d.memory)
	d.maybe(20, requests, "ephemeral-storage", d.memory)
	for _, name := range some(d, 12, "nvidia.com/gpu", "nvidia.com/gpu", "amd.com/gpu", "example.com/GPU-share", "nvidia.com/gpumem", "google.com/tpu", "gpu.intel.com/i915") {
		limits[name] = d.gpus()
		if d.percent(40) {
			requests[name] = limits[name]
		}
	}
	if d.one(40) {
		requests["nvidia.com/gpu"] = d.gpus()
	}
	r := object{}
	if len(limits) > 0 || d.one(10) {
		r["limits"] = limits
	}
	if len(requests) > 0 || d.one(20) {
		r["requests"] = requests
	}
	return r
}

// count is a number of nodes, pods or processes.
func (d dice) count() any {
	return pick[any](d, int64(1), int64(1), int64(2), int64(2), int64(3), int64(4), int64(8), int64(16), int64(100))
}

// oddCount may be one that cannot run.
func (d dice) oddCount() any {
	if d.one(25) {
		return pick[any](d, int64(0), int64(-1), int64(1000))
	}
	return d.count()
}

func (d dice) seconds() any { return pick[any](d, int64(1), int64(60), int64(3600), int64(86400)) }

func (d dice) port(number int) object {
	p := object{"containerPort": int64(number)}
	d.maybe(50, p, "name", func() any { return fmt.Sprintf("p%d", number) })
	d.maybe(20, p, "protocol", func() any { return pick(d, "TCP", "UDP", "SCTP") })
	return p
}

func (d dice) ports() any {
	ports := list{}
	for _, number := range shuffled(d, 30, 29500, 8080, 9090, 7070, 2222) {
		ports = append(ports, d.port(number))
	}
	return ports
}
