// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// server holds JobSets and answers as the API server does.
type server struct {
	jobSets int
	asked   []metav1.ListOptions
	fail    func(page int) error
}

func (s *server) list(_ context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	s.asked = append(s.asked, opts)
	if s.fail != nil {
		if err := s.fail(len(s.asked)); err != nil {
			return nil, err
		}
	}
	from := 0
	if opts.Continue != "" {
		n, err := strconv.Atoi(opts.Continue)
		if err != nil {
			return nil, err
		}
		from = n
	}
	to := min(from+int(opts.Limit), s.jobSets)
	list := &jobset.JobSetList{ListMeta: metav1.ListMeta{ResourceVersion: "77"}}
	for i := from; i < to; i++ {
		js := newJobSet()
		js.Name = fmt.Sprintf("js-%d", i)
		list.Items = append(list.Items, *js)
	}
	if to < s.jobSets {
		list.Continue = strconv.Itoa(to)
	}
	return list, nil
}

func (s *server) pages() pages {
	return pages{ListerWatcher: &toolscache.ListWatch{ListWithContextFunc: s.list}, selector: "trainyard.dev/trainjob"}
}

// A reflector whose watch broke asks without a limit for a version that it
// knows; it gets everything, though no request was for more than a page.
func TestListIsPaged(t *testing.T) {
	s := &server{jobSets: 2*pageSize + 3}
	list, err := s.pages().ListWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "42", TimeoutSeconds: new(int64(9))})
	if err != nil {
		t.Fatal(err)
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != s.jobSets {
		t.Errorf("%d JobSets, want %d", len(items), s.jobSets)
	}
	for _, item := range items {
		if js, ok := item.(*jobset.JobSet); !ok || js.Spec.ReplicatedJobs != nil {
			t.Fatalf("not stripped: %T %+v", item, item)
		}
	}
	var limits []int64
	for _, opts := range s.asked {
		limits = append(limits, opts.Limit)
		if opts.LabelSelector != "trainyard.dev/trainjob" {
			t.Errorf("asked for the labels %q", opts.LabelSelector)
		}
		if opts.ResourceVersion != "" {
			t.Errorf("asked for version %s, of which a limit is not honoured", opts.ResourceVersion)
		}
	}
	if diff := cmp.Diff([]int64{pageSize, pageSize, pageSize}, limits); diff != "" {
		t.Error(diff)
	}
	if accessor, err := meta.ListAccessor(list); err != nil || accessor.GetResourceVersion() != "77" || accessor.GetContinue() != "" {
		t.Errorf("the list's metadata is %+v, %v", accessor, err)
	}
}

// The cache lists and watches the JobSets that are labelled, and every TrainJob.
func TestCacheSelects(t *testing.T) {
	for want, example := range map[string]runtime.Object{"trainyard.dev/trainjob": &jobset.JobSet{}, "": &trainer.TrainJob{}} {
		asked := make(chan metav1.ListOptions, 2)
		source := &toolscache.ListWatch{
			ListWithContextFunc: func(_ context.Context, opts metav1.ListOptions) (runtime.Object, error) {
				asked <- opts
				return &jobset.JobSetList{}, nil
			},
			WatchFuncWithContext: func(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
				asked <- opts
				return watch.NewFake(), nil
			},
		}
		go newInformer(source, example, 0, nil).RunWithContext(t.Context())
		for range 2 {
			if got := (<-asked).LabelSelector; got != want {
				t.Errorf("%T: selects %q, want %q", example, got, want)
			}
		}
	}
}

// Half a list must never pass for the whole: the cache would forget the rest.
func TestListFailsHalfway(t *testing.T) {
	for name, failure := range map[string]error{
		"expired": apierrors.NewResourceExpired("injected"),
		"cut":     errors.New("unexpected EOF"),
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{jobSets: 3 * pageSize, fail: func(page int) error {
				if page == 2 {
					return failure
				}
				return nil
			}}
			if list, err := s.pages().ListWithContext(t.Context(), metav1.ListOptions{}); err == nil {
				t.Errorf("half a list passes: %T", list)
			}
		})
	}
}

// The CRD is away and comes back: the next look is soon, not after a minute.
func TestListWaitsForTheAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{jobSets: 1, fail: func(page int) error {
			if page < 100 {
				return apierrors.NewNotFound(schema.GroupResource{}, "")
			}
			return nil
		}}
		begin := time.Now()
		if _, err := s.pages().ListWithContext(t.Context(), metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took != 99*pollAPIs {
			t.Errorf("looked every %v, want %v", took/99, pollAPIs)
		}
	})
}
