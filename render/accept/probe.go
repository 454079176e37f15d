// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
)

// handler is what a probe or a hook does: one of these.
type handler struct {
	exec  *corev1.ExecAction
	http  *corev1.HTTPGetAction
	tcp   *corev1.TCPSocketAction
	grpc  *corev1.GRPCAction
	sleep *corev1.SleepAction
}

// checkProbes looks at the probes and hooks of a container that stays; an init
// container that ends may have none.
func (p pod) checkProbes(s spot, c *corev1.Container) {
	if hooks := c.Lifecycle; hooks != nil {
		p.checkHook(s.at("lifecycle", "postStart"), hooks.PostStart)
		p.checkHook(s.at("lifecycle", "preStop"), hooks.PreStop)
	}
	p.checkProbe(s.at("livenessProbe"), c.LivenessProbe, false)
	p.checkProbe(s.at("readinessProbe"), c.ReadinessProbe, true)
	p.checkProbe(s.at("startupProbe"), c.StartupProbe, false)
}

func (p pod) checkHook(s spot, hook *corev1.LifecycleHandler) {
	if hook != nil {
		p.checkHandler(s, handler{exec: hook.Exec, http: hook.HTTPGet, tcp: hook.TCPSocket, sleep: hook.Sleep})
	}
}

// checkProbe: readiness alone may need several successes, and alone never stops
// the container.
func (p pod) checkProbe(s spot, probe *corev1.Probe, readiness bool) {
	if probe == nil {
		return
	}
	p.checkHandler(s, handler{exec: probe.Exec, http: probe.HTTPGet, tcp: probe.TCPSocket, grpc: probe.GRPC})
	s.at("initialDelaySeconds").notNegative(int64(probe.InitialDelaySeconds))
	s.at("timeoutSeconds").notNegative(int64(probe.TimeoutSeconds))
	s.at("periodSeconds").notNegative(int64(probe.PeriodSeconds))
	s.at("failureThreshold").notNegative(int64(probe.FailureThreshold))
	switch n := probe.SuccessThreshold; {
	case readiness:
		s.at("successThreshold").notNegative(int64(n))
	case n != 0 && n != 1:
		s.at("successThreshold").refuse("must be 1; it is %d", n)
	}
	switch grace := probe.TerminationGracePeriodSeconds; {
	case grace == nil:
	case readiness:
		s.at("terminationGracePeriodSeconds").refuse("a readiness probe stops nothing; leave it out")
	case *grace < 1:
		s.at("terminationGracePeriodSeconds").refuse("must be 1 or more; it is %d", *grace)
	}
}

func (p pod) checkHandler(s spot, h handler) {
	switch set := h.set(); len(set) {
	case 0:
		s.refuse("does nothing; set one of exec, httpGet, tcpSocket, grpc (probes) and sleep (hooks)")
	case 1:
		p.checkAction(s.at(set[0]), h)
	default:
		s.refuse("must do one thing; it has %s", list(set))
	}
}

func (h handler) set() []string {
	var set []string
	for _, action := range []struct {
		name string
		set  bool
	}{
		{"exec", h.exec != nil},
		{"httpGet", h.http != nil},
		{"tcpSocket", h.tcp != nil},
		{"grpc", h.grpc != nil},
		{"sleep", h.sleep != nil},
	} {
		if action.set {
			set = append(set, action.name)
		}
	}
	return set
}

// checkAction looks at the one action that a handler has.
func (p pod) checkAction(s spot, h handler) {
	switch {
	case h.exec != nil:
		if len(h.exec.Command) == 0 {
			s.at("command").refuse("is empty; say what to run")
		}
	case h.http != nil:
		checkHTTP(s, h.http)
	case h.tcp != nil:
		checkPort(s.at("port"), h.tcp.Port)
	case h.grpc != nil:
		checkPort(s.at("port"), intstr.FromInt32(h.grpc.Port))
	case h.sleep != nil:
		s.at("seconds").within(h.sleep.Seconds, 0, p.gracePeriod)
	}
}

func checkHTTP(s spot, http *corev1.HTTPGetAction) {
	checkPort(s.at("port"), http.Port)
	amongIfSet(s.at("scheme"), http.Scheme, corev1.URISchemeHTTP, corev1.URISchemeHTTPS)
	for i, header := range http.HTTPHeaders {
		s.at("httpHeaders").index(i).at("name").refuseIf(validation.IsHTTPHeaderName(header.Name), header.Name)
	}
}

func checkPort(s spot, port intstr.IntOrString) {
	if port.Type == intstr.String {
		s.refuseIf(validation.IsValidPortName(port.StrVal), port.StrVal)
		return
	}
	s.within(int64(port.IntVal), 1, 65535)
}
