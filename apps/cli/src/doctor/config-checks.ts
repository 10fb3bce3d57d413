import type { Config } from '@sluice/config';
import type { Finding } from '../checks/finding.ts';

/** Reports settings that are valid but usually a mistake. */
export function configChecks(config: Config): Finding[] {
  const { http, database, redis, secrets, outgoing, retention, worker } = config;
  const isPublic = !['127.0.0.1', '::1', 'localhost'].includes(http.host);
  const isLocalUrl = /^https?:\/\/(localhost|127\.|\[::1\])/.test(http.publicUrl ?? 'http://localhost');
  const findings: (Finding | false)[] = [
    isPublic &&
      isLocalUrl && {
        level: 'warning',
        check: 'public-url',
        message: `HOST is ${http.host}, but PUBLIC_URL is ${http.publicUrl ?? 'unknown'}: other machines cannot reach OAuth callbacks and resume URLs`,
        fix: 'set PUBLIC_URL to the address at which other machines reach the API',
      },
    isPublic &&
      http.trustProxyHops === 0 &&
      !isLocalUrl && {
        level: 'warning',
        check: 'trust-proxy',
        message: 'PUBLIC_URL is set and TRUST_PROXY is 0: behind a reverse proxy, all clients share one rate limit',
        fix: 'set TRUST_PROXY to the number of reverse proxies in front of the API, if any',
      },
    (http.publicUrl ?? '').startsWith('http://') &&
      !isLocalUrl && {
        level: 'warning',
        check: 'plain-http',
        message: 'PUBLIC_URL is not https: keys and data cross the network in plain text',
        fix: 'put a reverse proxy with TLS in front of the API, and set PUBLIC_URL to https://…',
      },
    database.url !== null &&
      redis.url !== null &&
      secrets.encryptionKeys === null && {
        level: 'warning',
        check: 'master-key',
        message: 'ENCRYPTION_KEY is not set: `sluice api` and `sluice worker` do not start without it',
        fix: 'set it to the same key everywhere (`openssl rand -base64 32`), or to the key in master.key if `sluice up` created this database',
      },
    outgoing.ssrfProtection === 'off' && {
      level: 'warning',
      check: 'ssrf-off',
      message: 'SSRF_PROTECTION is off: anyone who can edit a workflow can reach your private network',
      fix: 'list the allowed hosts in SSRF_ALLOW and set SSRF_PROTECTION to on',
    },
    Object.values(retention.days).includes(0) &&
      retention.maxPerProject === 0 && {
        level: 'warning',
        check: 'retention',
        message: 'finished executions are never deleted: the database grows without limit',
        fix: 'set EXECUTION_RETENTION_DAYS or EXECUTION_RETENTION_MAX',
      },
    worker.leaseMs < 5_000 && {
      level: 'warning',
      check: 'lease',
      message: `LEASE_MS is ${worker.leaseMs}: a short pause of a worker or the database makes its executions crash`,
      fix: 'set it to 15000, the default',
    },
  ];
  return findings.filter((finding) => finding !== false);
}
