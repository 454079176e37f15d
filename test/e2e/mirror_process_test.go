// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/trainyard/trainyard/test/e2e/plane"
)

// mirrorNamespace is where deploy/mirror puts the mirror.
const mirrorNamespace = "trainyard-system"

// mirror is the program as it is deployed, with the rights of deploy/mirror,
// behind a proxy that counts and spoils what it asks of the API server.
type mirror struct {
	t     *testing.T
	cmd   *exec.Cmd
	done  chan struct{}
	log   string
	probe string // host:port
	proxy *proxy
}

// buildMirror builds the program once.
var buildMirror = sync.OnceValues(func() (string, error) {
	program := filepath.Join(cluster.Dir, "mirror-trainjob-status")
	build := exec.Command("go", "build", "-o", program, "./cmd/mirror-trainjob-status")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the mirror: %w\n%s", err, out)
	}
	return program, nil
})

// mirrorManifests are the objects of deploy/mirror with its soft TTL.
var mirrorManifests = sync.OnceValues(func() ([]*unstructured.Unstructured, error) {
	folder, err := os.MkdirTemp(cluster.Dir, "mirror-")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(folder, "mirror"), os.DirFS(filepath.Join("..", "..", "deploy", "mirror"))); err != nil {
		return nil, err
	}
	text := "resources: [mirror]\ncomponents: [mirror/components/soft-ttl, mirror/components/preflight]\n"
	if err := os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	all, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	return plane.Decode(all)
})

// giveMirrorRights applies the mirror's account and its rights.
func giveMirrorRights(t *testing.T) {
	t.Helper()
	objects, err := mirrorManifests()
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		switch object.GetKind() {
		case "Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding":
			if err := cluster.Apply(t.Context(), object); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// startMirror runs the mirror for one namespace until the test ends.
func startMirror(t *testing.T, namespace string, flags ...string) *mirror {
	t.Helper()
	giveMirrorRights(t)
	m := &mirror{t: t, proxy: startProxy(t, mirrorToken(t))}
	m.start(append([]string{"--namespaces=" + namespace}, flags...)...)
	t.Cleanup(func() {
		m.end(syscall.SIGTERM)
		if t.Failed() {
			text, err := os.ReadFile(m.log)
			t.Logf("the mirror's log (%v):\n%s", err, last(string(text), 4000))
		}
	})
	return m
}

func last(text string, n int) string { return text[max(0, len(text)-n):] }

// start runs the program; end may have been called before.
func (m *mirror) start(flags ...string) {
	m.t.Helper()
	program, err := buildMirror()
	if err != nil {
		m.t.Fatal(err)
	}
	m.log = filepath.Join(cluster.Dir, "logs", fmt.Sprintf("mirror-%d.log", time.Now().UnixNano()))
	log, err := os.Create(m.log)
	if err != nil {
		m.t.Fatal(err)
	}
	defer log.Close()
	m.probe = freeAddress(m.t)
	m.cmd = exec.Command(program, append([]string{
		"--kubeconfig=" + m.kubeconfig(), "--leader-election-namespace=" + mirrorNamespace,
		"--metrics-address=0", "--probe-address=" + m.probe,
	}, flags...)...)
	m.cmd.Stdout, m.cmd.Stderr = log, log
	m.cmd.Env = append(os.Environ(), "GOMEMLIMIT=400MiB")
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := m.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) {
		_ = cmd.Wait() // how it ended stands in its log
		close(done)
	}(m.cmd, m.done)
}

// end signals the process, and waits until it has ended.
func (m *mirror) end(signal syscall.Signal) {
	_ = syscall.Kill(m.cmd.Process.Pid, signal) // it may have ended by itself
	select {
	case <-m.done:
	case <-time.After(30 * time.Second):
		_ = m.cmd.Process.Kill()
		m.t.Error("the mirror did not end within 30 s")
	}
}

// restart runs the program again with the same flags.
func (m *mirror) restart() {
	m.t.Helper()
	var own []string
	for _, flag := range m.cmd.Args[1:] {
		if !strings.HasPrefix(flag, "--probe") && !strings.HasPrefix(flag, "--kubeconfig") &&
			!strings.HasPrefix(flag, "--metrics") && !strings.HasPrefix(flag, "--leader-election") {
			own = append(own, flag)
		}
	}
	m.start(own...)
}

// mirrorToken is one of the mirror's account.
func mirrorToken(t *testing.T) string {
	t.Helper()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: mirrorNamespace, Name: "mirror-trainjob-status"}}
	token := &authenticationv1.TokenRequest{}
	if err := cluster.Client.SubResource("token").Create(t.Context(), account, token); err != nil {
		t.Fatal(err)
	}
	return token.Status.Token
}

// kubeconfig leads to the proxy.
func (m *mirror) kubeconfig() string {
	m.t.Helper()
	config := api.NewConfig()
	config.Clusters["e2e"] = &api.Cluster{Server: "http://" + m.proxy.address}
	config.Contexts["e2e"] = &api.Context{Cluster: "e2e"}
	config.CurrentContext = "e2e"
	file := filepath.Join(cluster.Dir, fmt.Sprintf("mirror-%d.kubeconfig", time.Now().UnixNano()))
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		m.t.Fatal(err)
	}
	return file
}

// ready waits until the leader knows all pairs.
func (m *mirror) ready() {
	m.t.Helper()
	eventually(m.t, func() error {
		if !m.logged("Starting workers") {
			return fmt.Errorf("the mirror does not work yet; its log is %s", m.log)
		}
		return m.isReady()
	})
}

func (m *mirror) isReady() error {
	response, err := http.Get("http://" + m.probe + "/readyz")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/readyz says %s", response.Status)
	}
	return nil
}

func (m *mirror) logged(text string) bool {
	log, err := os.ReadFile(m.log)
	return err == nil && strings.Contains(string(log), text)
}

// memory returns what the kernel says of the process, in MiB: now and at most.
func (m *mirror) memory() (now, most int) {
	m.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.cmd.Process.Pid))
	if err != nil {
		m.t.Fatal(err)
	}
	field := func(name string) int {
		_, rest, _ := strings.Cut(string(text), name+":")
		kib, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			m.t.Fatal(err)
		}
		return kib / 1024
	}
	return field("VmRSS"), field("VmHWM")
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// typed is a client that also knows TrainJobs.
var typed = sync.OnceValues(func() (client.WithWatch, error) {
	all := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(scheme.AddToScheme, jobset.AddToScheme, trainer.AddToScheme)
	if err := builder.AddToScheme(all); err != nil {
		return nil, err
	}
	return client.NewWithWatch(cluster.Config, client.Options{Scheme: all})
})

func typedClient(t *testing.T) client.WithWatch {
	t.Helper()
	c, err := typed()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
