# Two images that hold one static program each, and no shell:
#
#   docker build .                                   render-trainjob
#   docker build --target mirror-trainjob-status .   mirror-trainjob-status
#
# `make images` makes the same two where no registry can be reached.
FROM golang:1.26 AS build
WORKDIR /src
ARG VERSION=devel
ENV CGO_ENABLED=0 GOFLAGS="-trimpath '-ldflags=-s -w -X main.version=${VERSION}'"
COPY . .
RUN ["go", "build", "-o", "/programs/", "./cmd/..."]

# kustomize and kpt run a function as the user nobody, who must have an entry
# in passwd. Kubernetes takes only a number for a user who is not root.
FROM scratch AS base
COPY deploy/image/passwd deploy/image/group /etc/
COPY LICENSE /
USER 65534:65534

FROM base AS mirror-trainjob-status
COPY --from=build /programs/mirror-trainjob-status /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/mirror-trainjob-status"]

FROM base AS render-trainjob
COPY --from=build /programs/render-trainjob /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/render-trainjob"]
