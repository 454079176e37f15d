-- SPDX-FileCopyrightText: The Trainyard Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- As in ../argocd, from which make golden writes this, but for an app with sync
-- waves: a training is healthy when all its jobs are ready, or it would hold up
-- the waves after it.

local running = "Healthy"

local status = obj.status
if status == nil then
  return { status = "Progressing", message = "waits for its JobSet" }
end

local function condition(type)
  for _, c in ipairs(status.conditions or {}) do
    if c.type == type and c.status == "True" then
      return c
    end
  end
end

local failed = condition("Failed")
if failed ~= nil then
  return { status = "Degraded", message = failed.message or failed.reason or "failed" }
end

if condition("Complete") ~= nil then
  return { status = "Healthy", message = "completed" }
end

if condition("Suspended") ~= nil then
  return { status = "Suspended", message = "suspended, or waits in a queue" }
end

local parts = {}
local all = true
for _, job in ipairs(status.jobsStatus or {}) do
  local ready = (job.ready or 0) + (job.succeeded or 0)
  all = all and ready > 0
  table.insert(parts, job.name .. " " .. ready .. " ready")
end
return { status = all and #parts > 0 and running or "Progressing", message = table.concat(parts, ", ") }
