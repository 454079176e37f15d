// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

package accept

import (
	"net"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/trainyard/trainyard/internal/lazyregexp"
)

// vendorSources are the kinds of storage that name a product.
var vendorSources = []source{
	{"nfs", func(v *storage) bool { return v.NFS != nil }, func(s spot, v *storage) { checkNFS(s, v.NFS) }},
	{"gitRepo", func(v *storage) bool { return v.GitRepo != nil }, func(s spot, v *storage) {
		s.needsAll("repository", v.GitRepo.Repository)
		relative(s.at("directory"), v.GitRepo.Directory)
	}},
	{"gcePersistentDisk", func(v *storage) bool { return v.GCEPersistentDisk != nil }, func(s spot, v *storage) {
		s.needsAll("pdName", v.GCEPersistentDisk.PDName)
		s.at("partition").within(int64(v.GCEPersistentDisk.Partition), 0, 255)
	}},
	{"awsElasticBlockStore", func(v *storage) bool { return v.AWSElasticBlockStore != nil }, func(s spot, v *storage) {
		s.needsAll("volumeID", v.AWSElasticBlockStore.VolumeID)
		s.at("partition").within(int64(v.AWSElasticBlockStore.Partition), 0, 255)
	}},
	{"azureDisk", func(v *storage) bool { return v.AzureDisk != nil }, func(s spot, v *storage) { checkAzureDisk(s, v.AzureDisk) }},
	{"azureFile", func(v *storage) bool { return v.AzureFile != nil }, func(s spot, v *storage) {
		s.needsAll("secretName", v.AzureFile.SecretName, "shareName", v.AzureFile.ShareName)
	}},
	{"iscsi", func(v *storage) bool { return v.ISCSI != nil }, func(s spot, v *storage) { checkISCSI(s, v.ISCSI) }},
	{"fc", func(v *storage) bool { return v.FC != nil }, func(s spot, v *storage) { checkFC(s, v.FC) }},
	{"quobyte", func(v *storage) bool { return v.Quobyte != nil }, func(s spot, v *storage) { checkQuobyte(s, v.Quobyte) }},
	{"flexVolume", func(v *storage) bool { return v.FlexVolume != nil }, func(s spot, v *storage) { checkFlexVolume(s, v.FlexVolume) }},
	{"storageos", func(v *storage) bool { return v.StorageOS != nil }, func(s spot, v *storage) { checkStorageOS(s, v.StorageOS) }},
}

// plainSources are those that ask little more than that their fields be there.
var plainSources = []source{
	{"glusterfs", func(v *storage) bool { return v.Glusterfs != nil }, func(s spot, v *storage) {
		s.needsAll("endpoints", v.Glusterfs.EndpointsName, "path", v.Glusterfs.Path)
	}},
	{"flocker", func(v *storage) bool { return v.Flocker != nil }, func(s spot, v *storage) {
		if (v.Flocker.DatasetName == "") == (v.Flocker.DatasetUUID == "") {
			s.refuse("must have one of datasetName and datasetUUID")
		}
		if strings.Contains(v.Flocker.DatasetName, "/") {
			s.at("datasetName").refuse("must not contain '/'; it is %q", v.Flocker.DatasetName)
		}
	}},
	{"rbd", func(v *storage) bool { return v.RBD != nil }, func(s spot, v *storage) {
		s.needsAll("monitors", strings.Join(v.RBD.CephMonitors, ","), "image", v.RBD.RBDImage)
	}},
	{"cephfs", func(v *storage) bool { return v.CephFS != nil }, func(s spot, v *storage) { s.needsAll("monitors", strings.Join(v.CephFS.Monitors, ",")) }},
	{"cinder", func(v *storage) bool { return v.Cinder != nil }, func(s spot, v *storage) {
		s.needsAll("volumeID", v.Cinder.VolumeID)
		checkSecretRef(s.at("secretRef"), v.Cinder.SecretRef)
	}},
	{"vsphereVolume", func(v *storage) bool { return v.VsphereVolume != nil }, func(s spot, v *storage) { s.needsAll("volumePath", v.VsphereVolume.VolumePath) }},
	{"photonPersistentDisk", func(v *storage) bool { return v.PhotonPersistentDisk != nil }, func(s spot, v *storage) { s.needsAll("pdID", v.PhotonPersistentDisk.PdID) }},
	{"portworxVolume", func(v *storage) bool { return v.PortworxVolume != nil }, func(s spot, v *storage) { s.needsAll("volumeID", v.PortworxVolume.VolumeID) }},
	{"scaleIO", func(v *storage) bool { return v.ScaleIO != nil }, func(s spot, v *storage) {
		s.needsAll("gateway", v.ScaleIO.Gateway, "system", v.ScaleIO.System, "volumeName", v.ScaleIO.VolumeName)
	}},
}

func checkSecretRef(s spot, ref *corev1.LocalObjectReference) {
	if ref != nil {
		s.needsAll("name", ref.Name)
	}
}

func checkNFS(s spot, v *corev1.NFSVolumeSource) {
	s.needsAll("server", v.Server)
	if !path.IsAbs(v.Path) {
		s.at("path").refuse("must be an absolute path; it is %q", v.Path)
	}
}

// maxDriverName is the longest name of a CSI driver.
const maxDriverName = 63

func checkDriver(s spot, name string) {
	s.needs(name)
	if name == "" {
		return
	}
	if len(name) > maxDriverName {
		s.refuse("may have at most %d characters; it has %d", maxDriverName, len(name))
	}
	s.refuseIf(isSubdomain(strings.ToLower(name)), name)
}

func checkAzureDisk(s spot, v *corev1.AzureDiskVolumeSource) {
	s.needsAll("diskName", v.DiskName, "diskURI", v.DataDiskURI)
	if v.CachingMode != nil {
		among(s.at("cachingMode"), *v.CachingMode,
			corev1.AzureDataDiskCachingNone, corev1.AzureDataDiskCachingReadOnly, corev1.AzureDataDiskCachingReadWrite)
	}
	kind := ptr.Deref(v.Kind, corev1.AzureSharedBlobDisk)
	among(s.at("kind"), kind, corev1.AzureSharedBlobDisk, corev1.AzureDedicatedBlobDisk, corev1.AzureManagedDisk)
	begins := "https://"
	if kind == corev1.AzureManagedDisk {
		begins = "/subscriptions/"
	}
	if !strings.HasPrefix(v.DataDiskURI, begins) {
		s.at("diskURI").refuse("must begin with %s for a disk of kind %s; it is %q", begins, kind, v.DataDiskURI)
	}
}

// iscsiName is a name of a target or an initiator in one of the three formats
// of RFC 3720 and RFC 3980.
var iscsiName = lazyregexp.New(`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$|^eui.[[:alnum:]]{16}$|^naa.[[:alnum:]]{32}$`)

func checkISCSI(s spot, v *corev1.ISCSIVolumeSource) {
	s.needsAll("targetPortal", v.TargetPortal)
	if !iscsiName().MatchString(v.IQN) {
		s.at("iqn").refuse("must be an iqn., eui. or naa. name; it is %q", v.IQN)
	}
	s.at("lun").within(int64(v.Lun), 0, 255)
	if (v.DiscoveryCHAPAuth || v.SessionCHAPAuth) && v.SecretRef == nil {
		s.at("secretRef").refuse("is missing; CHAP needs a Secret")
	}
	if v.InitiatorName != nil && !iscsiName().MatchString(*v.InitiatorName) {
		s.at("initiatorName").refuse("must be an iqn., eui. or naa. name; it is %q", *v.InitiatorName)
	}
}

func checkFC(s spot, v *corev1.FCVolumeSource) {
	if (len(v.TargetWWNs) == 0) == (len(v.WWIDs) == 0) {
		s.refuse("must have one of targetWWNs and wwids")
	}
	if len(v.TargetWWNs) == 0 {
		return
	}
	if v.Lun == nil {
		s.at("lun").refuse("is missing beside targetWWNs")
		return
	}
	s.at("lun").within(int64(*v.Lun), 0, 255)
}

// maxQuobyteTenant is the longest name of a tenant.
const maxQuobyteTenant = 64

func checkQuobyte(s spot, v *corev1.QuobyteVolumeSource) {
	s.needsAll("registry", v.Registry, "volume", v.Volume)
	if v.Registry == "" {
		return
	}
	if len(v.Tenant) > maxQuobyteTenant {
		s.at("tenant").refuse("may have at most %d characters; it has %d", maxQuobyteTenant, len(v.Tenant))
		return
	}
	for address := range strings.SplitSeq(v.Registry, ",") {
		if _, _, err := net.SplitHostPort(address); err != nil {
			s.at("registry").refuse("must be host:port pairs with commas between; it is %q", v.Registry)
		}
	}
}

func checkFlexVolume(s spot, v *corev1.FlexVolumeSource) {
	s.needsAll("driver", v.Driver)
	for _, key := range sorted(v.Options) {
		domain, _, _ := strings.Cut(key, "/")
		dotted := "." + strings.ToLower(domain)
		if strings.HasSuffix(dotted, ".kubernetes.io") || strings.HasSuffix(dotted, ".k8s.io") {
			s.at("options").key(key).refuse("%s is reserved; use a domain of your own", domain)
		}
	}
}

func checkStorageOS(s spot, v *corev1.StorageOSVolumeSource) {
	s.at("volumeName").refuseIf(isLabel(v.VolumeName), v.VolumeName)
	if v.VolumeNamespace != "" {
		s.at("volumeNamespace").refuseIf(isLabel(v.VolumeNamespace), v.VolumeNamespace)
	}
	checkSecretRef(s.at("secretRef"), v.SecretRef)
}
