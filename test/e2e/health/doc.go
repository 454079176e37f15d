// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package health judges objects as the appliers do: by Argo CD's Lua checks and
// by Flux's CEL expressions, each with no more than the applier itself grants.
package health
