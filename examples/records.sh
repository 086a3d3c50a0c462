#!/bin/sh
# Records with nothing but curl: sign in, list, filter, insert, change, delete, sign out.
# Needs the service `shop` (examples/README.md) and an administrator:
#   EMAIL=you@example.com PASSWORD=… sh examples/records.sh
set -eu
SLUICE="${SLUICE:-http://127.0.0.1:8080}"

say() { printf '\n\n# %s\n' "$1"; }
json='Content-Type: application/json'
: "${EMAIL:?is the e-mail address of an administrator}" "${PASSWORD:?is that administrator’s password}"

say 'Sign in. The answer is a session; its token goes with every call.'
SESSION=$(curl -sS --fail-with-body -X POST "$SLUICE/api/v2/system/admin/session" -H "$json" \
  -d "{\"email\":\"$EMAIL\",\"password\":\"$PASSWORD\"}") || { printf '%s\n' "$SESSION"; exit 1; }
TOKEN=$(printf '%s' "$SESSION" | sed 's/.*"session_token":"\([^"]*\)".*/\1/')
session="X-DreamFactory-Session-Token: $TOKEN"
printf 'a token of %s characters' "${#TOKEN}"

say 'The tables of the service.'
curl -sS "$SLUICE/api/v2/shop/_table" -H "$session"

say 'Three products, the dearest first, just two fields, and how many there are.'
curl -sS "$SLUICE/api/v2/shop/_table/product?fields=name,price&order=price%20desc&limit=3&include_count=true" -H "$session"

say 'A filter. curl -G puts what --data-urlencode encodes into the address.'
curl -sS -G "$SLUICE/api/v2/shop/_table/product" -H "$session" \
  --data-urlencode 'filter=(price < 10) and (name contains "tea") and (in_stock > 0)'

say 'Insert. New records go in a list; the answer says which identifier each was given.'
NEW=$(curl -sS --fail-with-body -X POST "$SLUICE/api/v2/shop/_table/product" -H "$session" -H "$json" \
  -d '{"resource":[{"name":"Sugar tongs","price":7.25,"in_stock":3}]}') || { printf '%s\n' "$NEW"; exit 1; }
printf '%s' "$NEW"
ID=$(printf '%s' "$NEW" | sed 's/.*"id":\([0-9]*\).*/\1/')

say 'Change one field of that record.'
curl -sS -X PATCH "$SLUICE/api/v2/shop/_table/product/$ID?fields=*" -H "$session" -H "$json" -d '{"price":6.95}'

say 'The same list as CSV.'
curl -sS "$SLUICE/api/v2/shop/_table/product?limit=2" -H "$session" -H 'Accept: text/csv'

say 'Delete it again.'
curl -sS -X DELETE "$SLUICE/api/v2/shop/_table/product/$ID" -H "$session"

say 'Sign out. The token is worth nothing from here on.'
curl -sS -X DELETE "$SLUICE/api/v2/system/admin/session" -H "$session"
echo
