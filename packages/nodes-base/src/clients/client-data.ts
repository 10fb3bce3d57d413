import { type JsonObject, optionalCredentialText, ownProperty } from '@sluice/node-sdk';
import { unsupported } from '../shared/parameters.ts';

/** A number of a credential; the fallback where it is absent or empty. */
export function numberOf(data: JsonObject, field: string, fallback: number): number {
  const value = ownProperty(data, field);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

export function flagOf(data: JsonObject, field: string, fallback = false): boolean {
  const value = ownProperty(data, field);
  return typeof value === 'boolean' ? value : fallback;
}

/** A host name as people write it. */
export function hostOf(data: JsonObject, fallback = ''): string {
  return optionalCredentialText(data, 'host', fallback).trim();
}

/** A credential that wants a tunnel must not connect without one. */
export function refuseSshTunnel(data: JsonObject): void {
  if (flagOf(data, 'sshTunnel')) throw unsupported('an SSH tunnel', 'Give an address that can be reached without one');
}
