import { defineCredentialType } from '@sluice/node-sdk';
import { loadNodePackages } from '../load-node-packages.ts';
import type { LoadNodePackagesOptions, NodePackages } from '../node-packages.ts';
import { UncaughtErrors } from '../uncaught-errors.ts';
import { shoutSource } from './write-package.ts';

/** The only credential type of Sluice in these tests. */
export const headerAuth = defineCredentialType({
  name: 'httpHeaderAuth',
  displayName: 'Header',
  properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '', typeOptions: { password: true } }],
  authenticate: { headers: { 'X-Key': '{value}' } },
});

/** A package with one node type. */
export const shout = { manifest: { sluice: { nodes: ['shout.js'] } }, files: { 'shout.js': shoutSource() } };

/** The same, whose file runs `text` first. */
export function shoutAfter(text: string): typeof shout {
  return { ...shout, files: { 'shout.js': `${text}\n${shoutSource()}` } };
}

/** Source of a credential type. */
export function credentialSource(name: string, more = ''): string {
  return `export default { name: '${name}', displayName: 'A key', properties: [
    { displayName: 'Place', name: 'place', type: 'string', default: '' }], ${more} };`;
}

/** A package with one credential type. */
export function keyPackage(name: string, more?: string) {
  return { manifest: { sluice: { credentials: ['key.js'] } }, files: { 'key.js': credentialSource(name, more) } };
}

/**
 * Loads all packages of a folder. A load starts a process, and each package that terminates it
 * starts more.
 */
export function loadFrom(folder: string, options: Partial<LoadNodePackagesOptions> = {}): Promise<NodePackages> {
  const uncaughtErrors = new UncaughtErrors({ error: () => undefined });
  return loadNodePackages({ folder, allow: null, credentialTypes: [headerAuth], uncaughtErrors, ...options });
}
