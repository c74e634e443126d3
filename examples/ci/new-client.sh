#!/usr/bin/env bash
# Makes a new client at a running sandbox, saves its files, and prints their paths: as lines for $GITHUB_ENV, for GitLab's dotenv
# reports, or for a shell (`set -a; . FILE; set +a`).
#
#   new-client.sh FOLDER [ADMIN_URL [API_URL]]
set -euo pipefail

folder=${1:?usage: new-client.sh FOLDER [ADMIN_URL [API_URL]]}
admin=${2:-http://localhost:8090}
api=${3:-https://localhost:8443}
id=ci-$(date +%s)-$$

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
umask 077
curl -fsS -X POST "$admin/clients" -H 'Content-Type: application/json' -d "{\"clientId\":\"$id\"}" -o /dev/null
curl -fsS "$admin/ca.pem" -o "$folder/ca.pem"
for file in cert.pem key.pem client.p12; do curl -fsS "$admin/clients/$id/$file" -o "$folder/$file"; done

cat <<LINES
SANDBOX_URL=$api
SANDBOX_ADMIN_URL=$admin
SANDBOX_CLIENT_ID=$id
SANDBOX_CA_FILE=$folder/ca.pem
SANDBOX_CERT_FILE=$folder/cert.pem
SANDBOX_KEY_FILE=$folder/key.pem
SANDBOX_P12_FILE=$folder/client.p12
SANDBOX_P12_PASSWORD=sandbox
LINES
