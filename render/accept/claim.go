// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/utils/ptr"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	"github.com/trainyard/trainyard/render/finding"
)

// maxClaimName is the longest name of a claim that JobSet makes.
const maxClaimName = 63

// claimTemplates are those from which JobSet makes claims, and volumes of the
// same names in the pods that mount them.
func claimTemplates(js *jobset.JobSet) []corev1.PersistentVolumeClaim {
	var all []corev1.PersistentVolumeClaim
	for _, policy := range js.Spec.VolumeClaimPolicies {
		all = append(all, policy.Templates...)
	}
	return all
}

func checkClaims(s spot, js *jobset.JobSet) {
	s = s.under(finding.VolumeClaim)
	seen := names{}
	for i, policy := range js.Spec.VolumeClaimPolicies {
		for j := range policy.Templates {
			template := &policy.Templates[j]
			at := s.index(i).at("templates").index(j)
			seen.once(at.at("metadata", "name"), template.Name)
			checkClaimName(at.at("metadata", "name"), js, template.Name)
			checkClaimUse(at.at("metadata", "name"), js, template.Name)
			checkMetadata(at.at("metadata"), template.Labels, template.Annotations)
			checkClaimSpec(at.at("spec"), withoutForgotten(&template.Spec))
		}
	}
}

// withoutForgotten is the claim without a data source of a kind that the API
// forgets in silence.
func withoutForgotten(spec *corev1.PersistentVolumeClaimSpec) *corev1.PersistentVolumeClaimSpec {
	spec = spec.DeepCopy()
	if from := spec.DataSource; from != nil {
		group := ptr.Deref(from.APIGroup, "")
		isClaim := group == "" && from.Kind == "PersistentVolumeClaim"
		isSnapshot := group == "snapshot.storage.k8s.io" && from.Kind == "VolumeSnapshot"
		if !isClaim && !isSnapshot {
			spec.DataSource = nil
		}
	}
	return spec
}

// checkClaimName: the claim is called <template>-<jobset>, the volume in the
// pods <template>.
func checkClaimName(s spot, js *jobset.JobSet, name string) {
	s.refuseIf(isLabel(name), name)
	if made := name + "-" + js.Name; len(made) > maxClaimName {
		s.refuse("the claim would be named %q, which may have at most %d characters; it has %d: shorten this name or the JobSet's",
			made, maxClaimName, len(made))
	}
}

// checkClaimUse: a claim must be mounted somewhere, and no pod may have a
// volume of its name.
func checkClaimUse(s spot, js *jobset.JobSet, name string) {
	mounted := false
	for i := range js.Spec.ReplicatedJobs {
		rj := &js.Spec.ReplicatedJobs[i]
		spec := &rj.Template.Spec.Template.Spec
		mounted = mounted || mounts(spec, name)
		if slices.ContainsFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == name }) {
			s.refuse("job %q has a volume %q too; rename one of them", rj.Name, name)
		}
	}
	if !mounted {
		s.under(finding.VolumeClaimMount).refuse("no container mounts %q; mount it, or take the claim out", name)
	}
}

func checkEphemeral(s spot, v *corev1.EphemeralVolumeSource) {
	template := v.VolumeClaimTemplate
	if template == nil {
		s.at("volumeClaimTemplate").refuse("is missing; say what to claim")
		return
	}
	at := s.at("volumeClaimTemplate")
	checkMetadata(at.at("metadata"), template.Labels, template.Annotations)
	if template.Name != "" || template.Namespace != "" || len(template.Finalizers) > 0 {
		at.at("metadata").refuse("may hold labels and annotations only")
	}
	checkClaimSpec(at.at("spec"), &template.Spec)
}

// checkClaimSpec asks what the API asks of a claim.
func checkClaimSpec(s spot, spec *corev1.PersistentVolumeClaimSpec) {
	checkAccessModes(s.at("accessModes"), spec.AccessModes)
	s.at("selector").refuseAll(metav1validation.ValidateLabelSelector(spec.Selector, metav1validation.LabelSelectorValidationOptions{}, here))
	storage := s.at("resources", "requests").key(string(corev1.ResourceStorage))
	if size, ok := spec.Resources.Requests[corev1.ResourceStorage]; !ok {
		storage.refuse("is missing; say how much")
	} else if size.Sign() <= 0 {
		storage.refuse("must be more than 0; it is %s", size.String())
	}
	checkClass(s.at("storageClassName"), spec.StorageClassName)
	checkClass(s.at("volumeAttributesClassName"), spec.VolumeAttributesClassName)
	if spec.VolumeMode != nil {
		among(s.at("volumeMode"), *spec.VolumeMode, corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeBlock)
	}
	if from := spec.DataSource; from != nil {
		checkDataSource(s.at("dataSource"), from.APIGroup, from.Kind, from.Name)
	}
	if from := spec.DataSourceRef; from != nil {
		checkDataSource(s.at("dataSourceRef"), from.APIGroup, from.Kind, from.Name)
	}
}

func checkClass(s spot, class *string) {
	if class != nil && *class != "" {
		s.refuseIf(isSubdomain(*class), *class)
	}
}

func checkAccessModes(s spot, modes []corev1.PersistentVolumeAccessMode) {
	if len(modes) == 0 {
		s.refuse("is empty; name at least one, such as ReadWriteOnce")
	}
	for i, mode := range modes {
		among(s.index(i), mode, corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOncePod)
	}
	if slices.Contains(modes, corev1.ReadWriteOncePod) && slices.ContainsFunc(modes, isNotOncePod) {
		s.refuse("ReadWriteOncePod cannot stand beside another; they are %s", list(modes))
	}
}

func isNotOncePod(mode corev1.PersistentVolumeAccessMode) bool {
	return mode != corev1.ReadWriteOncePod
}

func checkDataSource(s spot, group *string, kind, name string) {
	s.needsAll("name", name, "kind", kind)
	switch {
	case group != nil && *group != "":
		s.at("apiGroup").refuseIf(isSubdomain(*group), *group)
	case kind != "PersistentVolumeClaim":
		s.at("kind").refuse("must be PersistentVolumeClaim where no apiGroup is named; it is %q", kind)
	}
}
