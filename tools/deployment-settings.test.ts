import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { readEnv, settings, toConfig } from '@sluice/config';
import { memoryOptions, memoryVariables } from '../apps/cli/src/memory-options.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** The names in a top-level block of `NAME: value` lines. */
function namesIn(yaml: string, block: string): string[] {
  const lines = yaml.split(/^(?=\S)/m).find((part) => part.startsWith(`${block}:`)) ?? '';
  return [...lines.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name = '']) => name);
}

/** The seconds in each `<name>: 30s` or `<name>: 30`, including defaults of variables. */
function secondsOf(yaml: string, name: string): number[] {
  return [...yaml.matchAll(new RegExp(`${name}: (?:\\$\\{\\w+:-)?(\\d+)`, 'g'))].map(([, seconds]) => Number(seconds));
}

test('the image sets the same memory options and variables as `sluice up`', async () => {
  const image = await read('infra/Dockerfile');
  const variables = { NODE_OPTIONS: memoryOptions({ variables: {} }).join(' '), ...memoryVariables({ variables: {} }) };
  for (const [name, value] of Object.entries(variables)) expect(image).toContain(`ENV ${name}=${value}\n`);
  // An option on the command line would override NODE_OPTIONS that an operator sets.
  expect(image).toContain('ENTRYPOINT ["node", "/app/apps/cli/dist/main.js"]');
});

const observability = ['prometheus', 'grafana', 'collector'];

describe('docker-compose.yml', () => {
  test('passes every setting to the containers, except those that are fixed in containers', async () => {
    const fixed = ['PORT', 'HOST', 'SLUICE_HOME', 'WORKERS', 'WORKER_PORT', 'METRICS_PORT', 'BINARY_DIR', 'BOOTSTRAP_API_KEY'];
    const expected = Object.keys(settings).filter((name) => !fixed.includes(name));
    const passed = namesIn(await read('docker-compose.yml'), 'x-settings').filter((name) => name !== 'PGPASSWORD');
    expect(passed.sort()).toEqual(expected.sort());
  });

  test('pins images by digest, and limits the memory, CPUs, and processes of every service', async () => {
    const compose = await read('docker-compose.yml');
    for (const image of ['postgres', 'redis'])
      expect(compose).toMatch(new RegExp(`image: .*${image}:\\d+@sha256:[0-9a-f]{64}`));
    expect(await read('infra/Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:[\w.-]+@sha256:[0-9a-f]{64}$/m);
    expect(compose).toMatch(/^x-contained:[\s\S]*?pids_limit: \d+[\s\S]*?^x-settings:/m);
    const services = servicesOf(compose);
    expect(Object.keys(services)).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker', ...observability]);
    for (const [name, text] of Object.entries(services))
      expect([name, text]).toEqual([name, expect.stringMatching(/mem_limit: [\s\S]*cpus: /)]);
  });

  test('puts Postgres and Redis on an internal network without published ports', async () => {
    const compose = await read('docker-compose.yml');
    const { postgres, redis, migrate } = servicesOf(compose);
    for (const text of [postgres, redis, migrate]) expect(text).toContain('networks: [data]');
    expect(compose).toContain('data: { internal: true }');
    expect(postgres).not.toContain('ports:');
    expect(redis).not.toContain('ports:');
  });

  test('with Caddy, does not publish the port of the API, and denies workflows access to the proxy', async () => {
    const overlay = await read('infra/caddy/compose.yml');
    const { api, caddy } = servicesOf(overlay);
    expect(api).toContain('ports: !reset []');
    expect(caddy).toMatch(/image: \$\{CADDY_IMAGE:-caddy:[\d.]+@sha256:[0-9a-f]{64}\}[\s\S]*mem_limit: [\s\S]*cpus: /);
    const [, denied = ''] = /SSRF_DENY: (.*),\$\{SSRF_DENY:-\}/.exec(await read('docker-compose.yml')) ?? [];
    expect(api).toContain(`SSRF_DENY: ${denied},caddy:80,caddy:443,`);
    const passed = [...overlay.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name = '']) => name);
    expect(passed.filter((name) => !(name in settings) && name !== 'SLUICE_HOST')).toEqual([]);
  });

  test('starts Prometheus, Grafana, and the collector only with a profile, on loopback ports', async () => {
    const compose = await read('docker-compose.yml');
    for (const name of observability) {
      const service = servicesOf(compose)[name];
      expect(service).toContain('profiles: [observability]');
      expect(service).toMatch(/image: .*@sha256:[0-9a-f]{64}\}$/m);
      expect(service).toMatch(/ports: \["127\.0\.0\.1:/);
      for (const [, path = ''] of service?.matchAll(/- \.\/(infra\/\S+):\/etc/g) ?? [])
        await access(new URL(`../${path}`, import.meta.url));
    }
  });

  test('stops a process only after more than its grace period', async () => {
    const [graceSeconds = 0] = secondsOf(await read('docker-compose.yml'), 'stop_grace_period');
    expect(graceSeconds * 1000).toBeGreaterThanOrEqual(toConfig({}).shutdownGraceMs + 10_000);
  });
});

/** Service name → its lines. */
function servicesOf(compose: string): Record<string, string> {
  const services = compose.split(/^(?=\S)/m).find((part) => part.startsWith('services:')) ?? '';
  const parts = services.split(/^ {2}(?=\w+:$)/m).slice(1);
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

test('the image has an SBOM and a health check and is built for two architectures', async () => {
  const dockerfile = await read('infra/Dockerfile');
  expect(dockerfile).toMatch(/^RUN node \/tmp\/production\.ts && npm ci [\s\S]*? npm sbom --package-lock-only /m);
  expect(healthCheckOf(dockerfile)).toEqual(['node', '-e', expect.stringContaining('/healthz')]);
  expect(await read('infra/docker-bake.hcl')).toContain('platforms  = ["linux/amd64", "linux/arm64"]');
});

function healthCheckOf(dockerfile: string): string[] {
  const [, command = ''] = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile) ?? [];
  return JSON.parse(command);
}

test.each(['0.0.0.0', '', '::', '::1', 'localhost'])(
  'the health check reaches a process that listens on "%s"',
  async (host) => {
    const [, ...options] = healthCheckOf(await read('infra/Dockerfile'));
    const check = (variables: Record<string, string>) =>
      promisify(execFile)(process.execPath, options, { env: { HOST: host, ...variables } });
    const paths: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => response.writeHead(paths.push(url) === 3 ? 503 : 200).end());
    await new Promise<void>((resolve) => server.listen(0, host || '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    try {
      await check({ PORT: port, WORKER_PORT: '1' });
      await check({ PORT: '1', WORKER_PORT: port });
      await expect(check({ PORT: port, WORKER_PORT: '1' })).rejects.toMatchObject({ code: 1 });
      expect(paths).toEqual(['/healthz', '/healthz', '/healthz']);
    } finally {
      server.close();
    }
  },
);

describe('infra/k8s', () => {
  test('gives Redis the same users as docker-compose.yml', async () => {
    const rulesOf = (text: string) => [...text.matchAll(/^ *(user .*)$/gm)].map(([, rule = '']) => rule.replaceAll('$$', '$'));
    const rules = rulesOf(await read('docker-compose.yml'));
    expect(rules).toHaveLength(3);
    expect(rules[0]).toBe('user default reset');
    expect(rulesOf(await read('infra/k8s/overlays/local/redis.yaml'))).toEqual(rules);
  });

  test('denies connections by default, and pins images by digest', async () => {
    const base = await read('infra/k8s/base/network.yaml');
    const [first = ''] = base.split('---');
    expect(first).toContain('policyTypes: [Ingress, Egress]');
    expect(first).not.toContain('ingress:');
    const images = await read('infra/k8s/overlays/local/kustomization.yaml');
    expect(images.match(/digest: sha256:[0-9a-f]{64}$/gm)).toHaveLength(2);
  });

  test.each(['base/api', 'base/migrate', 'base/worker', 'overlays/local/postgres', 'overlays/local/redis'])(
    'limits the memory and CPU of each container in %s',
    async (name) => {
      const manifest = await read(`infra/k8s/${name}.yaml`);
      const containers = manifest.match(/^ +image: /gm) ?? [];
      expect(containers.length).toBeGreaterThan(0);
      expect(manifest.match(/limits: \{ cpu: '\d+', memory: \d+[MG]i \}/g)).toHaveLength(containers.length);
    },
  );

  test('has a ConfigMap with valid settings and without secrets', async () => {
    const literals = await configLiterals();
    expect(readEnv(literals)).toEqual(literals);
    expect(() => toConfig(readEnv(literals))).not.toThrow();
    expect(Object.keys(literals).filter((name) => /URL|KEY$|PASSWORD/.test(name))).toEqual([]);
  });

  test.each(['api', 'worker'])('stops the %s only after more than its grace period', async (app) => {
    const { shutdownGraceMs } = toConfig(readEnv(await configLiterals()));
    const [graceSeconds = 0] = secondsOf(await read(`infra/k8s/base/${app}.yaml`), 'terminationGracePeriodSeconds');
    expect(graceSeconds * 1000).toBeGreaterThanOrEqual(shutdownGraceMs + 15_000);
  });

  async function configLiterals(): Promise<Record<string, string>> {
    const kustomization = await read('infra/k8s/base/kustomization.yaml');
    return Object.fromEntries([...kustomization.matchAll(/^ +- ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  }
});
