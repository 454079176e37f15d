// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/internal/marks"
)

// pageSize bounds how many whole objects are in memory at once during a LIST.
const pageSize = 200

// newInformer is the informer of the cache, except that it lists page by page,
// and of the JobSets those that take part.
func newInformer(lw toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	source := pages{ListerWatcher: lw}
	if _, ok := example.(*jobset.JobSet); ok {
		source.selector = marks.TrainJob // the label exists
	}
	return toolscache.NewSharedIndexInformer(source, example, resync, indexers)
}

// pages lists in pages and strips each before the next is read. Left alone, a
// reflector asks for everything at once when its watch broke, and strips only
// what it then holds whole.
type pages struct {
	toolscache.ListerWatcher
	selector string // of labels
}

// IsWatchListSemanticsUnSupported keeps the reflector from streaming its list:
// a stream that is cut starts over, pages go on.
func (pages) IsWatchListSemanticsUnSupported() bool { return true }

// ListWithContext reads from the newest state, in which a limit is honoured. It
// waits for an API that is away; a reflector would soon look once a minute.
func (p pages) ListWithContext(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	opts.ResourceVersion, opts.ResourceVersionMatch, opts.Limit, opts.Continue = "", "", 0, ""
	opts.LabelSelector = p.selector
	all := pager.New(p.page)
	all.PageSize = pageSize
	all.FullListIfExpired = false // the reflector tries again, in pages
	var list runtime.Object
	err := wait.PollUntilContextCancel(ctx, pollAPIs, true, func(ctx context.Context) (there bool, err error) {
		list, _, err = all.ListWithAlloc(ctx, opts)
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return true, err
	})
	return list, err
}

// WatchWithContext is the watch of the ListerWatcher within.
func (p pages) WatchWithContext(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.LabelSelector = p.selector
	return toolscache.ToWatcherWithContext(p.ListerWatcher).WatchWithContext(ctx, opts)
}

func (p pages) page(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	list, err := toolscache.ToListerWithContext(p.ListerWatcher).ListWithContext(ctx, opts)
	if err != nil {
		return nil, err
	}
	return list, meta.EachListItem(list, func(o runtime.Object) error {
		_, err := strip(o)
		return err
	})
}
