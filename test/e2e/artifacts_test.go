// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// artifacts are served as source-controller serves them: tarballs by digest.
type artifacts struct {
	mu     sync.Mutex
	bytes  map[string][]byte
	server *httptest.Server
}

func serveArtifacts() *artifacts {
	a := &artifacts{bytes: map[string][]byte{}}
	a.server = httptest.NewServer(a)
	return a
}

func (a *artifacts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, found := a.bytes[path.Base(r.URL.Path)]
	if !found {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(text) // who hung up has to ask again
}

// add packs objects and returns the status of a source that fetched them, and
// the revision in it.
func (a *artifacts) add(objects []*unstructured.Unstructured) (status map[string]any, revision string, err error) {
	packed, err := tarball(objects)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(packed)
	name := hex.EncodeToString(sum[:])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes[name] = packed
	revision = "main@sha256:" + name
	return map[string]any{"artifact": map[string]any{
		"digest": "sha256:" + name, "revision": revision,
		"path": name, "url": a.server.URL + "/" + name,
		"lastUpdateTime": time.Now().UTC().Format(time.RFC3339), "size": int64(len(packed)),
	}}, revision, nil
}

// tarball holds all objects in one file, as render-trainjob prints them.
func tarball(objects []*unstructured.Unstructured) ([]byte, error) {
	var text bytes.Buffer
	for _, object := range objects {
		document, err := yaml.Marshal(object.Object)
		if err != nil {
			return nil, err
		}
		text.WriteString("---\n" + string(document))
	}
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	header := &tar.Header{Name: "trainings.yaml", Mode: 0o644, Size: int64(text.Len())}
	if err := archive.WriteHeader(header); err != nil {
		return nil, err
	}
	if _, err := archive.Write(text.Bytes()); err != nil {
		return nil, err
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
