import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { readEnv, toConfig } from '@sluice/config';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';
import { chartManifests, chartTemplate, kustomize } from './write-helm-chart.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds; the schemas check their shape.
type Manifest = any;

const models = [ConfigMap, Deployment, ExternalSecret, HorizontalPodAutoscaler, Ingress, Job, Namespace, NetworkPolicy];
const schemas: Manifest[] = [...models, PodDisruptionBudget, ScaledObject, Service, ServiceMonitor];
const chart = new URL('../infra/helm/sluice/', import.meta.url).pathname;
const production = 'infra/k8s/overlays/production';
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const withKubectl = has('kubectl', 'version', '--client') ? test : test.skip;
const withHelm = has('helm', 'version') && has('kubectl', 'version', '--client') ? test : test.skip;

function validate(manifest: Manifest): void {
  const Model = schemas.find(({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind);
  if (Model === undefined) throw new Error(`there is no schema for ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}

function helm(...args: string[]): Manifest[] {
  const text = execFileSync('helm', ['template', 'sluice', chart, '--namespace', 'sluice', ...args], { encoding: 'utf8' });
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}

/**
 * Removes intended differences between chart and overlay: namespace, names with a hash or revision,
 * and checksums.
 */
function comparable(manifests: Manifest[]): Record<string, Manifest> {
  const entries = manifests
    .filter(({ kind }) => kind !== 'Namespace')
    .map((manifest) => {
      const text = JSON.stringify(manifest)
        .replace(/sluice-settings-\w+/g, 'sluice-settings')
        .replace('sluice-migrate-1', 'sluice-migrate');
      const copy = JSON.parse(text);
      delete copy.metadata.namespace;
      delete copy.spec?.template?.metadata?.annotations?.['checksum/settings'];
      return [`${copy.kind} ${copy.metadata.name}`, copy];
    });
  return Object.fromEntries(entries);
}

describe('the production overlay', () => {
  withKubectl('matches the schemas of its API versions, and refers only to existing objects', () => {
    const manifests = kustomize(production);
    for (const manifest of manifests) validate(manifest);
    const names = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
    const targets = manifests.map(({ spec }: Manifest) => spec?.scaleTargetRef?.name).filter((name) => name !== undefined);
    expect(targets.sort()).toEqual(['sluice-api', 'sluice-worker']);
    for (const target of targets) expect(names).toContain(`Deployment ${target}`);
    const monitors = manifests.filter(({ kind }) => kind === 'ServiceMonitor');
    expect(monitors.map((monitor) => scraped(monitor, manifests))).toEqual([['sluice-api-pods'], ['sluice-worker-pods']]);
  });

  withKubectl('leaves the number of pods to the autoscalers, and provides every secret that a pod requires', () => {
    const manifests: Manifest[] = kustomize(production);
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([undefined, undefined]);
    const provided = manifests
      .find(({ kind }) => kind === 'ExternalSecret')
      .spec.data.map(({ secretKey }: Manifest) => secretKey);
    const sources = deployments.flatMap(({ spec }) => spec.template.spec.containers[0].env);
    const required = sources.map(({ valueFrom }) => valueFrom.secretKeyRef).filter(({ optional }) => optional !== true);
    expect([...new Set(required.map(({ key }) => key))].sort()).toEqual(provided.sort());
  });

  withKubectl('has scrape targets with the job name that the alert rules use', async () => {
    const manifests: Manifest[] = kustomize(production);
    const monitors = manifests.filter(({ kind }) => kind === 'ServiceMonitor');
    const jobs = monitors.flatMap((monitor) =>
      scraped(monitor, manifests).map((name) => {
        const { metadata } = manifests.find((other) => other.kind === 'Service' && other.metadata.name === name);
        return metadata.labels[monitor.spec.jobLabel] ?? name;
      }),
    );
    const alerts = await readFile(new URL('../infra/observability/alerts.yml', import.meta.url), 'utf8');
    const named = new Set([...alerts.matchAll(/job="(\w+)"/g)].map(([, job]) => job));
    expect([...new Set(jobs)]).toEqual([...named]);
  });

  withKubectl('a value of the wrong type does not match the schema', () => {
    const [manifest]: Manifest[] = kustomize(production).filter(({ kind }) => kind === 'ScaledObject');
    expect(() => validate({ ...manifest, spec: { ...manifest.spec, minReplicaCount: 'two' } })).toThrow('minReplicaCount');
  });
});

withKubectl('the component `traces` sets TRACES_URL and allows the API and workers to reach its port', async () => {
  const manifests = await kustomizeWith('traces');
  for (const manifest of manifests) validate(manifest);
  const { data } = manifests.find(({ kind }) => kind === 'ConfigMap');
  const { traces } = toConfig(readEnv(data));
  const policy = manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'sluice-traces');
  const [{ to, ports }] = policy.spec.egress;
  const { hostname, port } = new URL(traces?.url ?? '');
  expect(hostname.split('.')[1]).toBe(to[0].namespaceSelector.matchLabels['kubernetes.io/metadata.name']);
  expect(ports).toEqual([{ port: Number(port), protocol: 'TCP' }]);
});

/** Renders an overlay that combines the production overlay and a component, as users write it. */
async function kustomizeWith(component: string): Promise<Manifest[]> {
  const root = new URL('..', import.meta.url).pathname;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-overlay-'));
  try {
    const text = `resources: [${relative(folder, root + production)}]\ncomponents: [${relative(folder, `${root}infra/k8s/components/${component}`)}]\n`;
    await writeFile(join(folder, 'kustomization.yaml'), text);
    return kustomize(relative(root, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Names of the Services that a ServiceMonitor scrapes: with its labels and its port. */
function scraped(monitor: Manifest, manifests: Manifest[]): string[] {
  const wanted = Object.entries(monitor.spec.selector.matchLabels);
  return manifests
    .filter(({ kind, metadata }) => kind === 'Service' && wanted.every(([label, value]) => metadata.labels?.[label] === value))
    .filter(({ spec }) => spec.ports.some(({ name }: Manifest) => name === monitor.spec.endpoints[0].port))
    .map(({ metadata }) => metadata.name);
}

describe('the Helm chart', () => {
  test('has valid default settings', async () => {
    const { settings } = parse(await readFile(`${chart}values.yaml`, 'utf8'));
    expect(readEnv(settings)).toEqual(settings);
    expect(() => toConfig(readEnv(settings))).not.toThrow();
  });

  withKubectl('has up-to-date templates', async () => {
    expect(await readFile(`${chart}templates/sluice.yaml`, 'utf8')).toBe(chartTemplate(await chartManifests()));
  });

  withHelm('renders the same objects as the overlay', () => {
    expect(comparable(helm())).toEqual(comparable(kustomize(production)));
  });

  withHelm(
    'renders no KEDA objects, no Ingress, and a fixed number of workers without Prometheus, secret store, and host',
    () => {
      const manifests = helm('--set', 'prometheus=,secret.store=,ingress.host=,worker.minReplicas=5');
      for (const manifest of manifests) validate(manifest);
      const kinds = new Set(manifests.map(({ kind }) => kind));
      for (const kind of ['ScaledObject', 'ServiceMonitor', 'ExternalSecret', 'Ingress']) expect(kinds).not.toContain(kind);
      expect(
        manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'sluice-worker').spec.replicas,
      ).toBe(5);
    },
  );

  withHelm('derives PUBLIC_URL from the host of the Ingress unless it is set', () => {
    const publicUrl = (...args: string[]) =>
      helm('--set', ...args).find(({ metadata }) => metadata.name === 'sluice-settings').data.PUBLIC_URL;
    const checksums = (host: string) => JSON.stringify(helm('--set', `ingress.host=${host}`)).match(/[0-9a-f]{64}/g);
    expect(publicUrl('ingress.host=a.example')).toBe('https://a.example');
    expect(publicUrl('ingress.host=a.example,settings.PUBLIC_URL=https://b.example')).toBe('https://b.example');
    expect(publicUrl('ingress.host=')).toBeUndefined();
    expect(checksums('a.example')).not.toEqual(checksums('b.example'));
  });

  withHelm('opens the port of the collector only with TRACES_URL', () => {
    const policies = (...args: string[]) => helm(...args).map(({ metadata }) => metadata.name);
    expect(policies()).not.toContain('sluice-traces');
    expect(policies('--set', 'settings.TRACES_URL=http://collector.monitoring.svc:4318/v1/traces')).toContain('sluice-traces');
  });

  withHelm('rejects a setting that is a number', () => {
    expect(() => helm('--set', 'settings.CONCURRENCY=5')).toThrow('settings.CONCURRENCY: write the value in quotes');
  });
});
