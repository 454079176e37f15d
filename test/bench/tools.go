// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

//go:build tools

package main

import _ "github.com/yannh/kubeconform/pkg/validator" // its command is built, in the version that go.mod names
