-- SPDX-FileCopyrightText: The Trainyard Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- As in ../argocd, from which make golden writes this, but for an app with sync
-- waves: a training is healthy when all its jobs are ready, or it would hold up
-- the waves after it.

local running = "Healthy"

local status = obj.status
if status == nil then
  return { status = "Progressing", message = "waits for the JobSet controller" }
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

if condition("Completed") ~= nil then
  return { status = "Healthy", message = "completed" }
end

if obj.spec.suspend == true then
  local queue = (obj.metadata.labels or {})["kueue.x-k8s.io/queue-name"]
  if queue == nil then
    return { status = "Suspended", message = "suspended" }
  end
  return { status = "Suspended", message = "waits in queue " .. queue }
end

local jobs = {}
for _, job in ipairs(status.replicatedJobsStatus or {}) do
  jobs[job.name] = job
end

-- started: Jobs of it exist, or existed.
local function started(name)
  local job = jobs[name]
  return job ~= nil and (job.active or 0) + (job.ready or 0) + (job.succeeded or 0) + (job.failed or 0) > 0
end

local parts = {}
local all = true
for _, job in ipairs(obj.spec.replicatedJobs or {}) do
  local now = jobs[job.name] or {}
  local wanted = job.replicas or 1
  local ready = (now.ready or 0) + (now.succeeded or 0)
  local first = (job.dependsOn or {})[1]
  if ready >= wanted then
    table.insert(parts, job.name .. " " .. ready .. "/" .. wanted .. " ready")
  elseif first ~= nil and not started(job.name) then
    all = false
    table.insert(parts, job.name .. " waits for " .. first.name .. " to be " .. first.status)
  else
    all = false
    table.insert(parts, job.name .. " " .. ready .. "/" .. wanted .. " ready")
  end
end
return { status = all and running or "Progressing", message = table.concat(parts, ", ") }
