#!/bin/bash
# Runs once, when the database is created: creates the role of Sluice, which owns its database and has no other privileges. A
# superuser could run programs on this machine. Without a password, the superuser can log in only through the local socket.
set -e
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'END'
CREATE ROLE sluice LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
ALTER DATABASE sluice OWNER TO sluice;
REVOKE ALL ON DATABASE sluice FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
END
