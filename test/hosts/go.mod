module github.com/trainyard/trainyard/test/hosts

go 1.26.0

replace github.com/trainyard/trainyard => ../..

require (
	github.com/google/go-cmp v0.7.0
	github.com/trainyard/trainyard v0.0.0-00010101000000-000000000000
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.4 // indirect
