// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"flag"
	"strings"
)

// Options are the choices of the one who runs the mirror.
type Options struct {
	Namespaces              []string // empty: all
	Workers                 int      // pairs looked at in parallel
	SSHSecrets              bool
	SoftTTL                 bool
	LeaderElection          bool
	LeaderElectionNamespace string // empty: the mirror's own
	MetricsAddress          string // "0": none
	ProbeAddress            string
	AllowOldTrainer         bool
	TrainerDeployment       string // namespace/name
	KueueConfig             string // namespace/name of a ConfigMap
}

// AddFlags adds a flag for each of them; docs/mirror.md has the same list.
func (o *Options) AddFlags(flags *flag.FlagSet) {
	flags.Func("namespaces", "comma-separated namespaces to work in; all when not given", func(list string) error {
		o.Namespaces = strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
		return nil
	})
	flags.IntVar(&o.Workers, "workers", 8, "pairs looked at in parallel")
	flags.BoolVar(&o.SSHSecrets, "ssh-secrets", true,
		"make the SSH Secrets that MPI JobSets ask for; needs create on secrets")
	flags.BoolVar(&o.SoftTTL, "soft-ttl", false,
		"delete the Jobs of finished JobSets after their soft TTL; needs delete on jobs")
	flags.BoolVar(&o.LeaderElection, "leader-elect", true, "let one replica work at a time")
	flags.StringVar(&o.LeaderElectionNamespace, "leader-election-namespace", "", "namespace of the lease; the mirror's own when not given")
	flags.StringVar(&o.MetricsAddress, "metrics-address", ":8080", "where to serve metrics; 0 for nowhere")
	flags.StringVar(&o.ProbeAddress, "probe-address", ":8081", "where to serve /healthz and /readyz")
	flags.BoolVar(&o.AllowOldTrainer, "allow-old-trainer", false,
		"start although a Trainer older than 2.3 seems to be installed; it would write the same statuses for ever")
	flags.StringVar(&o.TrainerDeployment, "trainer-deployment", "kubeflow-system/kubeflow-trainer-controller-manager",
		"namespace/name of the Trainer's Deployment, to look up its version")
	flags.StringVar(&o.KueueConfig, "kueue-config", "kueue-system/kueue-manager-config",
		"namespace/name of the ConfigMap with Kueue's configuration, to look up its integrations")
}
