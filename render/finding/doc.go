// SPDX-FileCopyrightText: The Trainyard Authors
// SPDX-License-Identifier: Apache-2.0

// Package finding holds what a person should know or mend.
//
// Everything a user can get wrong is a Finding: it names a rule, an object and
// a field, says what was found and what to do. Go errors are for broken
// machinery only. The rules stand in rules.go, each with its meaning; a rule's
// id is part of the product's interface and is never used again for another
// meaning.
package finding
