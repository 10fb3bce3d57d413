import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parse, parseAllDocuments, stringify } from 'yaml';

// Writes the templates of the Helm chart from the production overlay. Needs kubectl.

interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds, whose shape the tests check against the schemas.
  [key: string]: any;
}

const root = new URL('..', import.meta.url).pathname;
const target = `${root}infra/helm/sluice/templates/sluice.yaml`;

/** Kind, or kind and name → the value that must be set for the object to exist. */
const conditions: Record<string, string> = {
  'NetworkPolicy sluice-traces': '.Values.settings.TRACES_URL',
  ExternalSecret: '.Values.secret.store',
  Ingress: '.Values.ingress.host',
  ScaledObject: '.Values.prometheus',
  ServiceMonitor: '.Values.prometheus',
};

/** Renders the objects of an overlay, as `kubectl apply -k` does. */
export function kustomize(overlay: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', `${root}${overlay}`], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** The objects of the chart: the production overlay, and the policy for a trace collector. */
export async function chartManifests(): Promise<Manifest[]> {
  const traces = parse(await readFile(`${root}infra/k8s/components/traces/network.yaml`, 'utf8'));
  return [...kustomize('infra/k8s/overlays/production'), traces];
}

/**
 * Settings must be strings: Helm formats large numbers as `1e+06`, and Kubernetes rejects numbers
 * in a ConfigMap.
 */
const settings = `data:
  {{- if and .Values.ingress.host (not (hasKey .Values.settings "PUBLIC_URL")) }}
  PUBLIC_URL: {{ printf "https://%s" .Values.ingress.host | quote }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  {{- if not (kindIs "string" $value) }}{{ fail (printf "settings.%s: write the value in quotes" $name) }}{{ end }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}`;

/** A placeholder for a template expression, replaced after the object has been serialized. */
const slot = (expression: string) => `@@${expression}@@`;

export function chartTemplate(manifests: Manifest[]): string {
  const parts = manifests.filter(({ kind }) => kind !== 'Namespace').map(templateOf);
  return `# Written by tools/write-helm-chart.ts from infra/k8s/overlays/production and infra/k8s/components/traces.\n---\n${parts.join('---\n')}`;
}

function templateOf(manifest: Manifest): string {
  const { namespace: _release, ...metadata } = manifest.metadata;
  const object: Manifest = { ...manifest, metadata };
  parameterize(object);
  const text = stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })
    .replace(/^( {2}replicas: .*)$/m, '  {{- if not .Values.prometheus }}\n$1\n  {{- end }}')
    .replace('data: "@@settings@@"', settings)
    .replace(
      /^( *)(\S+): "?@@toYaml (\S+?)@@"?$/gm,
      (_, indent, key, path) => `${indent}${key}: {{- toYaml ${path} | nindent ${indent.length + 2} }}`,
    )
    .replace(/(: |- )"@@([^@]*)@@"$/gm, '$1{{ $2 }}')
    .replace(/(: |- )"(@@[^"]*@@)"$/gm, '$1$2')
    .replace(/@@([^@]*)@@/g, '{{ $1 }}');
  const condition = conditions[`${manifest.kind} ${metadata.name}`] ?? conditions[manifest.kind];
  return condition === undefined ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`;
}

function parameterize(object: Manifest): void {
  const { kind, spec } = object;
  if (kind === 'Deployment' || kind === 'Job') parameterizePods(object);
  if (kind === 'Job') object.metadata.name += `-${slot('.Release.Revision')}`;
  if (kind === 'ConfigMap') {
    object.metadata.name = 'sluice-settings';
    object['data'] = slot('settings');
  }
  if (kind === 'HorizontalPodAutoscaler') {
    spec.minReplicas = slot('.Values.api.minReplicas');
    spec.maxReplicas = slot('.Values.api.maxReplicas');
  }
  if (kind === 'ScaledObject') parameterizeScaling(spec);
  if (kind === 'ExternalSecret') {
    spec.secretStoreRef.name = slot('.Values.secret.store');
    for (const { remoteRef } of spec.data) remoteRef.key = slot('.Values.secret.key');
  }
  if (kind === 'Ingress') {
    spec.tls = [{ hosts: [slot('.Values.ingress.host')], secretName: slot('.Values.ingress.tlsSecret') }];
    spec.rules[0].host = slot('.Values.ingress.host');
  }
}

function parameterizePods({ kind, metadata, spec }: Manifest): void {
  const [container] = spec.template.spec.containers;
  container.image = `${slot('.Values.image.repository')}:${slot('.Values.image.tag')}`;
  for (const source of container.envFrom ?? []) source.configMapRef.name = 'sluice-settings';
  if (kind === 'Job') return;
  // Restarts the pods when settings change; kustomize achieves this with the name of the ConfigMap.
  spec.template.metadata.annotations['checksum/settings'] = slot(
    'print (toYaml .Values.settings) .Values.ingress.host | sha256sum',
  );
  container.resources = slot(`toYaml .Values.${container.name}.resources`);
  // Without KEDA, the chart sets the number of workers.
  if (metadata.name === 'sluice-worker') spec.replicas = slot('.Values.worker.minReplicas');
}

// biome-ignore lint/suspicious/noExplicitAny: see Manifest.
function parameterizeScaling(spec: any): void {
  spec.minReplicaCount = slot('.Values.worker.minReplicas');
  spec.maxReplicaCount = slot('.Values.worker.maxReplicas');
  for (const { type, metadata } of spec.triggers) {
    if (type !== 'prometheus') continue;
    metadata.serverAddress = slot('.Values.prometheus');
    metadata.query = metadata.query.replace('namespace="sluice"', `namespace="${slot('.Release.Namespace')}"`);
  }
}

if (import.meta.main) await writeFile(target, chartTemplate(await chartManifests()));
