#!/usr/bin/env bash
# Verifies docker-compose.yml on this machine: builds the image, starts everything with 3 workers, runs the commands of the README
# through the published port, checks that several workers share the load and that nodes cannot reach the stores of Sluice, checks
# that all processes stop cleanly, and removes everything except the build cache. Safe to repeat; does not affect other compose
# projects.
#
# Requires curl and Docker with `docker compose` or docker-compose 1.29. Existing base images are not pulled again.
# POSTGRES_IMAGE, REDIS_IMAGE, and NODE_IMAGE override the pinned base images.
# Usage: infra/verify-compose.sh          VERIFY_PORT: the published port on 127.0.0.1 (default: 15678)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for setting in $(sed -n 's/^  \([A-Z_]*\):$/\1/p' docker-compose.yml); do unset "$setting"; done # ignores settings from the operator's shell
unset SSRF_DENY
export SLUICE_IMAGE=sluice:verify HOST=127.0.0.1 PORT=${VERIFY_PORT:-15678} CONCURRENCY=2 no_proxy=127.0.0.1
export POSTGRES_PASSWORD="any/character:counts@here?#%&=$RANDOM" BOOTSTRAP_API_KEY=verify-compose-$RANDOM-$RANDOM-$RANDOM
export REDIS_PASSWORD=verify$RANDOM$RANDOM$RANDOM
export ENCRYPTION_KEY=verify-compose-$RANDOM-$RANDOM KEY=$BOOTSTRAP_API_KEY URL=http://127.0.0.1:$PORT/api/v1

scratch=$(mktemp -d)
: >"$scratch/empty.env" # replaces the operator's .env
if docker compose version >/dev/null 2>&1; then engine=(docker compose); else engine=(docker-compose); fi
export SSRF_PROTECTION=off # the weakest mode: connections that it refuses are refused in every mode
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
is_ready() { request GET /workflows >/dev/null 2>&1; }
healthy_workers() { # expected number
  [ "$(compose ps -q worker | xargs docker inspect --format '{{.State.Health.Status}}' | grep -cx healthy)" -eq "$1" ]
}
expect() { # description, pattern, text
  grep -Eq "$2" <<<"$3" || fail "$1: expected $2 in: $3"
  printf 'ok: %s\n' "$1"
}
has_status() { # execution, status
  request GET "/executions/$1" | grep -q "\"status\":\"$2\""
}

say 'removing leftovers of an interrupted run'
remove_all

say 'building the image'
compose build migrate
docker image inspect --format '{{.Size}}' "$SLUICE_IMAGE" | awk '{ printf "image: %d MB, including the base image\n", $1 / 1000000 }'

say 'starting Postgres, Redis, the migrations, one API, and 3 workers'
started=$SECONDS
compose up -d --no-build --scale worker=3
eventually 180 is_ready || fail 'the API does not respond'
eventually 180 healthy_workers 3 || fail 'not all workers are healthy'
printf 'ready after %d s\n' $((SECONDS - started))
compose ps

say 'running the commands of the README'
sed -n '/^## A first run/,/^## Test/p' README.md | sed -n '/^```sh$/,/^```$/{/^```/d;/^export /d;p;}' >"$scratch/readme.sh"
# Runs `sluice` in the container, because this machine may not have Node.js.
sed -i 's/\.\/dev sluice/compose exec -T api sluice/' "$scratch/readme.sh"
grep -q 'curl' "$scratch/readme.sh" || fail 'README.md contains no curl commands'
(
  curl() { command curl --fail-with-body "$@" && echo; }
  set -x
  # shellcheck source=/dev/null
  . "$scratch/readme.sh"
) 2>"$scratch/readme.log" || { cat "$scratch/readme.log" >&2; fail 'a command of the README failed'; }
eventually 10 has_status 4 success || fail 'the retry did not succeed'
hello=$(request GET '/executions/1?includeData=true')
expect 'the first run succeeded' '"status":"success"' "$hello"
expect 'it contains the output of its second node' '"greeting":"Hello from HELLO"' "$hello"
expect 'the hanging run was stopped' '"status":"canceled"' "$(request GET /executions/2)"
expect 'the failed run refers to its successful retry' '"status":"error".*"retrySuccessId":"4"' "$(request GET /executions/3)"

say 'starting 30 runs of half a second on 3 workers with CONCURRENCY=2'
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
[ "$(wc -l <"$scratch/workers")" -ge 2 ] || fail 'one worker ran everything'

say 'checking that nodes cannot reach the stores of Sluice, even with SSRF_PROTECTION=off'
address_of() { # service, network
  docker inspect --format "{{ (index .NetworkSettings.Networks \"sluice-verify_$2\").IPAddress }}" "$(compose ps -q "$1" | head -n 1)"
}
credential() { # type, data; prints the ID
  request POST /credentials --data "{\"name\":\"$1\",\"type\":\"$1\",\"data\":$2}" | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4
}
attacks=0
refused() { # description, node type and version, parameters, credentials
  attacks=$((attacks + 1))
  local id="attack-$attacks"
  request POST /workflows --output /dev/null --data "{
    \"id\": \"$id\", \"name\": \"$1\",
    \"nodes\": [
      { \"id\": \"1\", \"name\": \"Start\", \"type\": \"base.manual-trigger\", \"position\": [0, 0], \"parameters\": {} },
      { \"id\": \"2\", \"name\": \"Attack\", $2, \"position\": [200, 0], \"parameters\": $3, \"credentials\": ${4:-{\}} }
    ],
    \"connections\": { \"Start\": { \"main\": [[{ \"node\": \"Attack\", \"type\": \"main\", \"index\": 0 }]] } }
  }"
  request POST "/workflows/$id/run" --output /dev/null --data '{}'
  ended() { request GET "/executions?workflowId=$id" | grep -Eq '"status":"(error|success)"'; }
  eventually 60 ended || fail "$1: the run did not end"
  expect "$1" 'not allowed' "$(request GET "/executions?workflowId=$id&includeData=true")"
}
redis_at=$(address_of redis data) postgres_at=$(address_of postgres data) api_at=$(address_of api data)
for host in redis "$redis_at" "::ffff:$redis_at"; do
  id=$(credential redis "{\"host\":\"$host\",\"port\":6379,\"user\":\"sluice\",\"password\":\"$REDIS_PASSWORD\"}")
  refused "a Redis node at $host" '"type": "base.redis"' '{ "operation": "get", "key": "x", "propertyName": "x" }' \
    "{ \"redis\": { \"id\": \"$id\", \"name\": \"redis\" } }"
done
for host in postgres "$postgres_at"; do
  id=$(credential postgres "{\"host\":\"$host\",\"port\":5432,\"database\":\"sluice\",\"user\":\"sluice\",\"password\":\"$POSTGRES_PASSWORD\"}")
  refused "a Postgres node at $host" '"type": "base.postgres", "typeVersion": 2.6' \
    '{ "operation": "executeQuery", "query": "SELECT 1" }' "{ \"postgres\": { \"id\": \"$id\", \"name\": \"postgres\" } }"
done
for target in redis:6379 postgres:5432 api:5678 "$api_at:5678" api-metrics:5680 "$api_at:5680" worker:5679 worker-metrics:5679 \
  localhost:5679 127.0.0.1:5679 "[::ffff:$redis_at]:6379"; do
  refused "an HTTP Request at $target" '"type": "base.http-request", "typeVersion": 4.2' "{ \"url\": \"http://$target/readyz\" }"
done
request POST /workflows --output /dev/null --data "{
  \"id\": \"listens\", \"name\": \"Listens\", \"connections\": {},
  \"nodes\": [{ \"id\": \"1\", \"name\": \"Source\", \"type\": \"base.redis-trigger\", \"position\": [0, 0], \"parameters\": { \"channels\": \"*\" },
    \"credentials\": { \"redis\": { \"id\": \"$(credential redis '{"host":"redis","port":6379}')\", \"name\": \"redis\" } } }]
}"
request POST /workflows/listens/activate --output /dev/null
trigger_refused() { request GET /workflows/listens/triggers | grep -q 'not allowed'; }
eventually 60 trigger_refused || fail 'a Redis Trigger at redis was not refused'
echo 'ok: a Redis Trigger at redis'
request POST /workflows/listens/deactivate --output /dev/null

say 'checking the privileges in Redis and Postgres'
in_redis() { compose exec -T redis redis-cli --no-auth-warning "$@" 2>&1; }
expect 'Redis rejects unauthenticated clients' 'NOAUTH|WRONGPASS|disabled' "$(in_redis ping || true)"
as_sluice=(--user sluice --pass "$REDIS_PASSWORD")
for command in 'config get maxmemory' 'keys x' flushall 'acl list' 'get other' 'publish other x' 'client list' monitor; do
  # shellcheck disable=SC2086
  expect "the Redis user of Sluice may not run: $command" NOPERM "$(in_redis "${as_sluice[@]}" $command || true)"
done
in_postgres() { compose exec -T postgres psql --username sluice --dbname sluice --tuples-only --command "$1" 2>&1; }
expect 'the Postgres role of Sluice is not a superuser' ' f' "$(in_postgres 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')"
expect 'the Postgres role of Sluice cannot run programs' 'must be superuser|permission denied' "$(in_postgres "COPY (SELECT 1) TO PROGRAM 'id'" || true)"
expect 'no process used a Redis command without permission' '^0$' "$(compose logs --no-color api worker 2>&1 | grep -c NOPERM || true)"

say 'stopping: each API and worker must exit within its grace period'
containers=$(compose ps -q api && compose ps -q worker)
started=$SECONDS
compose stop
printf 'stopped after %d s\n' $((SECONDS - started))
for container in $containers; do
  docker inspect --format '{{.Name}}: exit code {{.State.ExitCode}}' "$container"
  [ "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] || fail 'a process was killed or exited with an error'
done
