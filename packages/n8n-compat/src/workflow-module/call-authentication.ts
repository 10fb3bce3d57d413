import { isJsonObject, type JsonValue } from '@sluice/domain';
import { plainData } from '../plain-data.ts';
import { LoggerProxy } from './logger-proxy.ts';

/*
 * Functions that newer webhooks of the format call and no public documentation describes. Names and callers tell what they are about.
 */

/** Says that a call was let in by a means of authentication. What is said of it is not written down, since it may be a secret. */
export function recordConsumedAuth(..._used: unknown[]): void {
  LoggerProxy.debug('a call was authenticated by its node');
}

/** What tells a caller which of his credentials have to be connected first (428): the names, types and addresses that are handed in. */
export function buildCredentialConnectionsRequiredResponse(status?: unknown) {
  return { message: 'credentials have to be connected first', credentials: missingIn(plainData(status)) };
}

function missingIn(status: JsonValue | undefined): JsonValue[] {
  const found = Array.isArray(status) ? status : isJsonObject(status) ? Object.values(status).find(Array.isArray) : undefined;
  return (found ?? []).filter(isJsonObject).map(missingOf);
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
