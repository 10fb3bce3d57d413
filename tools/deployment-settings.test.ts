import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { readEnv, settings, toConfig } from '@sluice/config';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** The names in a top-level block of indented `NAME: value` lines. */
function namesIn(yaml: string, block: string): string[] {
  const lines = yaml.split(/^(?=\S)/m).find((part) => part.startsWith(`${block}:`)) ?? '';
  return [...lines.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name = '']) => name);
}

/** Seconds of every `<name>: 30s` or `<name>: 30`, also as the default of a variable. */
function secondsOf(yaml: string, name: string): number[] {
  return [...yaml.matchAll(new RegExp(`${name}: (?:\\$\\{\\w+:-)?(\\d+)`, 'g'))].map(([, seconds]) => Number(seconds));
}

describe('docker-compose.yml', () => {
  test('passes on every setting but those that a container fixes', async () => {
    const fixed = ['PORT', 'HOST', 'SLUICE_HOME', 'WORKERS', 'WORKER_PORT', 'BINARY_DIR', 'BOOTSTRAP_API_KEY'];
    const expected = Object.keys(settings).filter((name) => !fixed.includes(name));
    const passed = namesIn(await read('docker-compose.yml'), 'x-settings').filter((name) => name !== 'PGPASSWORD');
    expect(passed.sort()).toEqual(expected.sort());
  });

  test('gives a stopping process more than its grace time', async () => {
    const [graceSeconds = 0] = secondsOf(await read('docker-compose.yml'), 'stop_grace_period');
    expect(graceSeconds * 1000).toBeGreaterThanOrEqual(toConfig({}).shutdownGraceMs + 10_000);
  });
});

describe('infra/k8s', () => {
  test('its ConfigMap holds valid settings and no secret', async () => {
    const literals = await configLiterals();
    expect(readEnv(literals)).toEqual(literals);
    expect(() => toConfig(readEnv(literals))).not.toThrow();
    expect(Object.keys(literals).filter((name) => /URL|KEY$|PASSWORD/.test(name))).toEqual([]);
  });

  test.each(['api', 'worker'])('gives a stopping %s more than its grace time', async (app) => {
    const { shutdownGraceMs } = toConfig(readEnv(await configLiterals()));
    const [graceSeconds = 0] = secondsOf(await read(`infra/k8s/base/${app}.yaml`), 'terminationGracePeriodSeconds');
    expect(graceSeconds * 1000).toBeGreaterThanOrEqual(shutdownGraceMs + 15_000);
  });

  async function configLiterals(): Promise<Record<string, string>> {
    const kustomization = await read('infra/k8s/base/kustomization.yaml');
    return Object.fromEntries([...kustomization.matchAll(/^ +- ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  }
});
