#!/usr/bin/env bash
# Proves on this machine that docker-compose.yml works: builds the image, starts everything with 3 workers, does the walk of the
# README through the published port, shows that several workers share the load, stops in good order, and removes all it has made
# but the builder's cache. Safe to repeat; it touches no other compose project.
#
# Needs Docker with `docker compose` or docker-compose 1.29, and curl. Base images that this machine has are not pulled again.
# Usage: infra/verify-compose.sh          VERIFY_PORT: the port it publishes on 127.0.0.1 (15678)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for setting in $(sed -n 's/^  \([A-Z_]*\):$/\1/p' docker-compose.yml); do unset "$setting"; done # those of an operator's shell
export SLUICE_IMAGE=sluice:verify HOST=127.0.0.1 PORT=${VERIFY_PORT:-15678} CONCURRENCY=2 no_proxy=127.0.0.1
export POSTGRES_PASSWORD="any/character:counts@here?#%&=$RANDOM" BOOTSTRAP_API_KEY=verify-compose-$RANDOM-$RANDOM-$RANDOM
export ENCRYPTION_KEY=verify-compose-$RANDOM-$RANDOM KEY=$BOOTSTRAP_API_KEY URL=http://127.0.0.1:$PORT/api/v1

scratch=$(mktemp -d)
: >"$scratch/empty.env" # in place of an operator's .env
if docker compose version >/dev/null 2>&1; then engine=(docker compose); else engine=(docker-compose); fi
compose() { "${engine[@]}" --file docker-compose.yml --project-name sluice-verify --env-file "$scratch/empty.env" "$@"; }

say() { printf '\n==> %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

remove_all() {
  compose down --volumes --remove-orphans --timeout 30 >"$scratch/down.log" 2>&1 || cat "$scratch/down.log" >&2
  docker image rm "$SLUICE_IMAGE" >/dev/null 2>&1 || true
}
finish() {
  local status=$?
  trap - EXIT
  if [ "$status" -ne 0 ]; then
    compose ps >&2 || true
    compose logs --tail=40 >&2 || true
  fi
  say 'removing everything'
  remove_all
  rm -rf "$scratch"
  [ "$status" -ne 0 ] || say 'verified'
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

eventually() { # seconds, command...
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.5
  done
}
request() { # method, path, curl's other arguments...
  local method=$1 path=$2
  shift 2
  curl --silent --show-error --fail-with-body --max-time 30 -X "$method" "$URL$path" -H "X-SERVICE-API-KEY: $KEY" \
    -H 'Content-Type: application/json' "$@"
}
answers() { request GET /workflows >/dev/null 2>&1; }
healthy_workers() { # how many
  [ "$(compose ps -q worker | xargs docker inspect --format '{{.State.Health.Status}}' | grep -cx healthy)" -eq "$1" ]
}
expect() { # what, pattern, text
  grep -Eq "$2" <<<"$3" || fail "$1: expected $2 in: $3"
  printf 'ok: %s\n' "$1"
}
has_status() { # execution, status
  request GET "/executions/$1" | grep -q "\"status\":\"$2\""
}

say 'removing what an interrupted run may have left'
remove_all

say 'building the image'
compose build migrate
docker image inspect --format '{{.Size}}' "$SLUICE_IMAGE" | awk '{ printf "image: %d MB, base included\n", $1 / 1000000 }'

say 'starting Postgres, Redis, the migrations, one API and 3 workers'
started=$SECONDS
compose up -d --no-build --scale worker=3
eventually 60 answers || fail 'the API does not answer'
eventually 60 healthy_workers 3 || fail 'not all workers are healthy'
printf 'ready after %d s\n' $((SECONDS - started))
compose ps

say 'the walk of the README'
sed -n '/^## A first run/,/^## Test/p' README.md | sed -n '/^```sh$/,/^```$/{/^```/d;/^export /d;p;}' >"$scratch/walk.sh"
grep -q 'curl' "$scratch/walk.sh" || fail 'README.md has no curl walk'
(
  curl() { command curl --fail-with-body "$@" && echo; }
  set -x
  # shellcheck source=/dev/null
  . "$scratch/walk.sh"
) 2>"$scratch/walk.log" || { cat "$scratch/walk.log" >&2; fail 'a command of the README'; }
eventually 10 has_status 4 success || fail 'the retry did not succeed'
hello=$(request GET '/executions/1?includeData=true')
expect 'the first run succeeded' '"status":"success"' "$hello"
expect 'it holds what its second node made' '"greeting":"Hello from HELLO"' "$hello"
expect 'the run that hung was stopped' '"status":"canceled"' "$(request GET /executions/2)"
expect 'the run that failed knows its successful retry' '"status":"error".*"retrySuccessId":"4"' "$(request GET /executions/3)"

say '30 runs of half a second, shared by 3 workers that take 2 at a time'
request POST /workflows --output /dev/null --data '{
  "id": "shared", "name": "Shared",
  "nodes": [
    { "id": "1", "name": "Start", "type": "base.manual-trigger", "position": [0, 0], "parameters": {} },
    { "id": "2", "name": "Wait", "type": "base.wait", "typeVersion": 1.1, "position": [200, 0], "parameters": {
      "resume": "timeInterval", "amount": 0.5, "unit": "seconds" } }
  ],
  "connections": { "Start": { "main": [[{ "node": "Wait", "type": "main", "index": 0 }]] } }
}'
for _ in $(seq 30); do
  request POST /workflows/shared/run --output /dev/null -H 'Prefer: respond-async' --data '{}'
done
all_shared_succeeded() { request GET '/executions?workflowId=shared&status=success' | grep -q '"count":30\b'; }
eventually 60 all_shared_succeeded || fail 'not all runs succeeded'
request GET '/executions?workflowId=shared&includeData=true' | grep -o '"workerId":"[^"]*"' | sort | uniq -c | tee "$scratch/workers"
[ "$(wc -l <"$scratch/workers")" -ge 2 ] || fail 'one worker took everything'

say 'stopping: every process of ours ends by itself, within its grace time'
ours=$(compose ps -q api && compose ps -q worker)
started=$SECONDS
compose stop
printf 'stopped after %d s\n' $((SECONDS - started))
for container in $ours; do
  docker inspect --format '{{.Name}}: exit code {{.State.ExitCode}}' "$container"
  [ "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] || fail 'a process had to be killed, or ended with an error'
done
