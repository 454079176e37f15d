# The rules that guard the cluster, asked of pods that are not there yet.
package main

import rego.v1

deny contains message if {
	input.kind == "Pod"
	some container in input.spec.containers
	endswith(container.image, ":latest")
	message := sprintf("%s: the image %s of container %s can change under a run; pin it", [input.metadata.name, container.image, container.name])
}

deny contains message if {
	input.kind == "Pod"
	some container in input.spec.containers
	not container.resources.limits.memory
	message := sprintf("%s: the container %s has no memory limit", [input.metadata.name, container.name])
}

deny contains message if {
	input.kind == "Pod"
	not input.spec.securityContext.runAsNonRoot
	message := sprintf("%s: it may run as root", [input.metadata.name])
}
