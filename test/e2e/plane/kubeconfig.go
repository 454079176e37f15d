// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfig writes the credentials of a user to a file and returns its name.
func (p *Plane) kubeconfig(user, group string) (string, error) {
	cert, key, err := p.authority.client(user, group)
	if err != nil {
		return "", err
	}
	config := api.NewConfig()
	config.Clusters["e2e"] = &api.Cluster{Server: p.url("kube-apiserver"), CertificateAuthorityData: p.authority.pem}
	config.AuthInfos["e2e"] = &api.AuthInfo{ClientCertificateData: cert, ClientKeyData: key}
	config.Contexts["e2e"] = &api.Context{Cluster: "e2e", AuthInfo: "e2e"}
	config.CurrentContext = "e2e"
	file := filepath.Join(p.Dir, filepath.Base(user)+".kubeconfig")
	return file, clientcmd.WriteToFile(*config, file)
}

// restConfig reads such a file. A test may ask as often as it likes.
func restConfig(kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 500, 1000
	return config, nil
}
