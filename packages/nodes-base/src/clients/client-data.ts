import { type JsonObject, optionalCredentialText, ownProperty } from '@sluice/node-sdk';
import { unsupported } from '../shared/parameters.ts';

/** A number from a credential; the fallback if it is absent or empty. */
export function numberOf(data: JsonObject, field: string, fallback: number): number {
  const value = ownProperty(data, field);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

export function flagOf(data: JsonObject, field: string, fallback = false): boolean {
  const value = ownProperty(data, field);
  return typeof value === 'boolean' ? value : fallback;
}

/** Normalizes a host name as users enter it. */
export function hostOf(data: JsonObject, fallback = ''): string {
  return optionalCredentialText(data, 'host', fallback).trim();
}

/** Throws if the credential requires an SSH tunnel: connecting without one would bypass it. */
export function refuseSshTunnel(data: JsonObject): void {
  if (flagOf(data, 'sshTunnel')) throw unsupported('an SSH tunnel', 'Use an address that can be reached without a tunnel');
}
