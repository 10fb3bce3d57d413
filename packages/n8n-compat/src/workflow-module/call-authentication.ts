import { isJsonObject, type JsonValue } from '@sluice/domain';
import { plainData } from '../plain-data.ts';
import { LoggerProxy } from './logger-proxy.ts';

/*
 * Functions that newer webhooks of the format call without public documentation. Their behavior
 * follows from their names and callers.
 */

/**
 * Records that a request was authenticated. The arguments are not logged, because they may be
 * secret.
 */
export function recordConsumedAuth(..._used: unknown[]): void {
  LoggerProxy.debug('a call was authenticated by its node');
}

/** The response (428) that lists credentials to connect first: the given names, types, and URLs. */
export function buildCredentialConnectionsRequiredResponse(status?: unknown) {
  return { message: 'credentials must be connected first', credentials: missingIn(plainData(status)) };
}

function missingIn(status: JsonValue | undefined): JsonValue[] {
  const list = Array.isArray(status) ? status : isJsonObject(status) ? Object.values(status).find(Array.isArray) : undefined;
  return (list ?? []).filter(isJsonObject).map(missingOf);
}

const shownMembers = ['credentialId', 'credentialName', 'credentialType', 'id', 'name', 'type', 'authorizationUrl'];

function missingOf(credential: Record<string, JsonValue>): JsonValue {
  return Object.fromEntries(
    shownMembers.flatMap((name) => {
      const value = credential[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
